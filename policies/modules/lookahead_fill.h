/* policies/modules/lookahead_fill.h - nodes filled with the tasks of the tape,
 * and what of their GPUs is left idle.
 */
#ifndef GSP_LOOKAHEAD_FILL_H
#define GSP_LOOKAHEAD_FILL_H

#include "policies/modules/lookahead_kinds.h"
#include "policies/modules/lookahead_node.h"
#include "policies/modules/lookahead_tape.h"

#define MISSES 100u /* tasks in a row that do not fit: the node is full */

/* What fills nodes: the kinds of tasks, the tape, and where it has kinds that
 * fit.
 */
struct filler {
    const struct mix_kind *kind;
    uint32_t kinds, limits;
    uint32_t words;                  /* of a row */
    bool is_exact;                   /* what the rows hold fits */
    uint16_t tape[TAPE];             /* kinds of tasks */
    struct kind_steps steps[LIMITS]; /* of all kinds */
    const uint64_t **class_row; /* [class] places of kinds that it suits, but
                                   for those that ask for nothing: they would
                                   fit for ever; behind these, those of its
                                   kinds that ask for GPUs */
};

/* A node that is filled. */
struct filling {
    struct filled_node node;
    int64_t least[LIMITS];           /* the row holds while as much is free */
    const uint64_t *row[LIMITS + 1]; /* of each limit, and of the class */
};

static inline void row_take(const struct filler *l, struct filling *f,
                            uint32_t limit, uint32_t step)
{
    f->least[limit] = l->steps[limit].amount[step];
    f->row[limit] = l->steps[limit].row + (size_t)step * l->words;
}

/* Take the rows of what is left.  False: no other kinds than before fit. */
static inline bool limits_follow(const struct filler *l, struct filling *f)
{
    bool fewer = false;

    for (uint32_t i = 0; i < l->limits; i++) {
        if (f->least[i] <= f->node.free[i])
            continue;
        row_take(l, f, i, kind_step_of(&l->steps[i], f->node.free[i]));
        fewer = true;
    }
    return fewer;
}

static inline void filling_begin(const struct filler *l, struct filling *f,
                                 const struct filled_node *n)
{
    f->node = *n;
    for (uint32_t i = 0; i < l->limits; i++)
        row_take(l, f, i, kind_step_of(&l->steps[i], n->free[i]));
    f->row[l->limits] = l->class_row[n->klass];
}

/* Of a whole one: what is used of it. */
static inline void filling_copy(const struct filler *l, struct filling *f,
                                const struct filling *from)
{
    f->node.count = from->node.count;
    memcpy(f->node.left, from->node.left, sizeof(f->node.left));
    f->row[l->limits] = from->row[l->limits];
    for (uint32_t i = 0; i < l->limits; i++) {
        f->node.free[i] = from->node.free[i];
        f->least[i] = from->least[i];
        f->row[i] = from->row[i];
    }
}

static inline uint64_t common_of(const struct filler *l,
                                 const struct filling *f, uint32_t word)
{
    uint64_t set = f->row[GPUS][word] & f->row[PART][word];

    for (uint32_t i = OTHERS; i <= l->limits; i++)
        set &= f->row[i][word];
    return set;
}

/* False when no task with GPUs fits: the rest stays idle. */
static inline bool has_hope(const struct filler *l, const struct filling *f)
{
    for (uint32_t w = PLACES; w < l->words; w++) {
        if (common_of(l, f, w))
            return true;
    }
    return false;
}

/* True when the node has what the kind asks for: rows may hold others. */
static inline bool fits(const struct filler *l, const struct filling *f,
                        uint32_t kind)
{
    for (uint32_t i = 0; i < l->limits; i++) {
        if (l->kind[kind].amount[i] > f->node.free[i])
            return false;
    }
    return true;
}

/* The first place from `at` on with a task that fits, before `end`, else that.
 * Places go on beyond the end of the tape with its first one.
 */
static inline uint32_t next_fit(const struct filler *l, const struct filling *f,
                                uint32_t at, uint32_t end)
{
    uint64_t mask = UINT64_MAX << at % 64;

    for (uint32_t w = at / 64; w * 64 < end; w++, mask = UINT64_MAX) {
        uint64_t set = common_of(l, f, w % PLACES) & mask;

        for (; set; set &= set - 1) {
            const uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(set);

            if (i >= end)
                return end;
            if (l->is_exact || fits(l, f, l->tape[i % TAPE]))
                return i;
        }
    }
    return end;
}

static inline void put(const struct filler *l, struct filled_node *n,
                       const struct mix_kind *k)
{
    n->free[GPUS] -= k->gpus;
    for (uint32_t i = OTHERS; i < l->limits; i++)
        n->free[i] -= k->amount[i];
    if (k->share)
        share_put(n, tightest(n, k->share), k->share);
    n->free[PART] = part_of(n);
}

/* GPU thousandths left when the tape is read from place `from` on, at most
 * once: a task that asks for almost nothing would fit for ever.
 */
static inline int64_t fill(const struct filler *l, const struct filling *begin,
                           uint32_t from)
{
    const uint32_t last = from + TAPE;
    struct filling f;
    bool goes_on = true;
    uint32_t at = from;

    filling_copy(l, &f, begin);
    while (goes_on) {
        const uint32_t end = last - at > MISSES ? at + MISSES + 1 : last;

        at = next_fit(l, &f, at, end);
        if (at == end)
            break;
        put(l, &f.node, &l->kind[l->tape[at++ % TAPE]]);
        goes_on = !limits_follow(l, &f) || has_hope(l, &f);
    }
    return left_on(&f.node);
}

/* The same, of `fills` fills that begin at places of the tape equally far
 * apart, in all.
 */
static inline int64_t fills_left(const struct filler *l,
                                 const struct filled_node *n, uint32_t fills)
{
    struct filling begin;
    int64_t sum = 0;

    filling_begin(l, &begin, n);
    if (!has_hope(l, &begin))
        return fills * left_on(n);
    for (uint32_t i = 0; i < fills; i++)
        sum += fill(l, &begin, i * (TAPE / fills));
    return sum;
}

/* --- made once ------------------------------------------------------------ */

/* The row of a class that suits these kinds. */
static inline uint64_t *class_row_make(const struct filler *l,
                                       const uint8_t *suits,
                                       const struct gsp_host *host, void *ctx)
{
    uint64_t *row = host->keep(ctx, l->words * sizeof(*row));

    for (uint32_t i = 0; i < TAPE && l->kinds; i++) {
        const struct mix_kind *k = &l->kind[l->tape[i]];
        bool asks = k->gpus + k->share > 0;

        for (uint32_t d = OTHERS; d < l->limits; d++)
            asks |= k->amount[d] > 0;
        if (asks && suits[l->tape[i]])
            kind_set_add(row, i);
    }
    for (uint32_t i = 0; i < l->kinds; i++) {
        if (suits[i] && l->kind[i].gpus + l->kind[i].share > 0)
            kind_set_add(row + PLACES, i);
    }
    return row;
}

/* Make the rows of the classes: one for those that suit the same kinds. */
static inline void class_rows_make(struct filler *l, const uint8_t *suits,
                                   uint32_t classes,
                                   const struct gsp_host *host, void *ctx)
{
    uint32_t slots = 2, *first; /* [slot] class + 1, or 0: free */

    while (slots < 2 * classes)
        slots *= 2;
    first = host->keep(ctx, slots * sizeof(*first));
    l->class_row = host->keep(ctx, (classes + 1) * sizeof(*l->class_row));
    for (uint32_t c = 0; c < classes; c++) {
        const uint8_t *own = suits + (size_t)c * l->kinds;
        uint64_t key = 0;
        uint32_t at;

        for (uint32_t i = 0; i < l->kinds; i++)
            key = own[i] ? scramble(key + i + 1) : key;
        at = (uint32_t)(key >> 20) & (slots - 1);
        while (
            first[at]
            && memcmp(suits + (size_t)(first[at] - 1) * l->kinds, own, l->kinds)
                   != 0)
            at = (at + 1) & (slots - 1);
        if (!first[at]) {
            first[at] = c + 1;
            l->class_row[c] = class_row_make(l, own, host, ctx);
        }
        l->class_row[c] = l->class_row[first[at] - 1];
    }
}

/* `kind` and `suits`, [class][kind], are kept. */
static inline void filler_make(struct filler *l, const struct mix_kind *kind,
                               uint32_t kinds, uint32_t limits,
                               const uint8_t *suits, uint32_t classes,
                               const struct gsp_host *host, void *ctx)
{
    int64_t *amount = host->keep(ctx, (kinds + 1) * sizeof(*amount));

    l->kind = kind;
    l->kinds = kinds;
    l->limits = limits;
    l->words = (uint32_t)kind_row_size(kinds);
    l->is_exact = true;
    tape_make(l->tape, kind, kinds);
    for (uint32_t i = 0; i < l->limits; i++) {
        for (uint32_t k = 0; k < kinds; k++)
            amount[k] = kind[k].amount[i];
        kind_steps_make(&l->steps[i], amount, kinds, l->tape, host, ctx);
        l->is_exact &= l->steps[i].is_exact;
    }
    class_rows_make(l, suits, classes, host, ctx);
}

#endif /* GSP_LOOKAHEAD_FILL_H */
