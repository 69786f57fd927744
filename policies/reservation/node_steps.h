/* policies/reservation/node_steps.h - the steps of node_times.h, for its files
 * only.
 */
#ifndef POLICIES_RESERVATION_NODE_STEPS_H
#define POLICIES_RESERVATION_NODE_STEPS_H

#include <assert.h>

#include "policies/reservation/node_times.h"
#include "policies/reservation/reservation.h"

#define STEPS 64u /* of a block */
#define GIFTS 8u  /* the last ones, of which the end is known */
#define ROW 8u /* words: sets have some of these, for the compiler to unroll */

/* Steps that follow one another. */
struct block {
    int64_t at[STEPS];     /* us, ascending: when the step begins */
    uint64_t given[STEPS]; /* version of the last gift */
    uint32_t free[STEPS];  /* members of `set` */
    uint32_t low[STEPS];   /* the least of `free` for `span` from its begin */
    uint32_t set[STEPS];   /* the nodes that are free */
    uint32_t count;
};

/* Of a block: of its steps the first time, the latest gift, the greatest low;
 * and the greatest of the blocks up to this one, see node_times.summed.
 */
struct block_head {
    int64_t at;
    uint64_t given;
    uint32_t most, most_so_far, block;
};

struct node_times {
    uint32_t nodes, words;
    uint64_t version;
    int64_t given_to[GIFTS]; /* [version % GIFTS] the end of what was given */
    int64_t span; /* no shorter time was sought, or half of the shortest */
    struct block_head *head; /* by time; the first step is that of long ago */
    struct block *block;
    uint32_t heads, head_cap, blocks, block_cap;
    uint32_t summed;                 /* heads whose most_so_far holds */
    uint32_t *idle_block, *idle_set; /* those to use again */
    uint32_t idle_blocks, idle_block_cap, idle_sets, idle_set_cap;
    uint64_t *bits; /* [set][word] */
    uint32_t sets, set_cap;
    uint64_t *some;  /* [word] nodes that are free for some time, from... */
    int64_t some_at; /* ... here on, after a search; -1 */
    struct least {
        int64_t at;
        uint32_t free;
    } * least; /* scratch of low_update() */
    uint32_t least_cap;
};

/* A step: its block's place in `head`, its place there. */
struct step {
    uint32_t h, i;
};

static inline struct block *block_of(const struct node_times *t, struct step c)
{
    assert(c.h < t->heads);
    return &t->block[t->head[c.h].block];
}

static inline int64_t at_of(const struct node_times *t, struct step c)
{
    return block_of(t, c)->at[c.i];
}

static inline bool is_step(const struct node_times *t, struct step c)
{
    return c.h < t->heads;
}

static inline struct step step_after(const struct node_times *t, struct step c)
{
    return c.i + 1 < block_of(t, c)->count ? (struct step){ c.h, c.i + 1 }
                                           : (struct step){ c.h + 1, 0 };
}

/* The step before one that is not the first. */
static inline struct step step_before(const struct node_times *t, struct step c)
{
    if (c.i > 0)
        return (struct step){ c.h, c.i - 1 };
    return (struct step){ c.h - 1, t->block[t->head[c.h - 1].block].count - 1 };
}

/* Number of bits that are set in a row: those of its words are added up by
 * bytes, as in Warren's Hacker's Delight, 5-1.
 */
static inline uint64_t row_members(const uint64_t *bits)
{
    const uint64_t twos = UINT64_C(0x5555555555555555),
                   fours = UINT64_C(0x3333333333333333),
                   bytes = UINT64_C(0x0f0f0f0f0f0f0f0f);
    uint64_t sum = 0;

    for (uint32_t w = 0; w < ROW; w++) {
        uint64_t x = bits[w];

        x -= x >> 1 & twos;
        x = (x & fours) + (x >> 2 & fours);
        sum += (x + (x >> 4)) & bytes;
    }
    sum = (sum & UINT64_C(0x00ff00ff00ff00ff))
          + (sum >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    return sum * UINT64_C(0x0001000100010001) >> 48;
}

static inline uint32_t node_times_members(const uint64_t *bits, uint32_t words)
{
    uint64_t n = 0;

    for (uint32_t w = 0; w < words; w += ROW)
        n += row_members(bits + w);
    return (uint32_t)n;
}

/* The step at this time. */
struct step node_times_step(const struct node_times *t, int64_t at);
/* Nodes are sought for this time: the span is not longer from now on. */
void node_times_span(struct node_times *t, int64_t time);

#endif /* POLICIES_RESERVATION_NODE_STEPS_H */
