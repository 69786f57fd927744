/* policies/admission/quota_sleepers.h - what waits for room in which queue and
 * cell.
 *
 * A sleeper is a number of the caller.  It wants room in some queues, any one
 * of which wakes it.  Those that want room of the same queue and cell stand in
 * a heap, the smallest amount on top, so that freed quota finds only those for
 * which it may be enough.
 */
#ifndef POLICIES_ADMISSION_QUOTA_SLEEPERS_H
#define POLICIES_ADMISSION_QUOTA_SLEEPERS_H

#include "policies/admission/quotas.h"

/* Room of at least `amount` at the node, see quotas_room(). */
struct quota_want {
    uint32_t node, cell;
    int64_t amount;
};

/* One of the wants of a sleeper. */
struct quota_wanted {
    int64_t amount;
    uint32_t sleeper;
    uint32_t next; /* of the same sleeper, or free; QUOTA_NONE */
    uint32_t list;
    uint32_t at; /* in its heap; QUOTA_NONE: apart */
};

/* The wants of one queue and cell. */
struct quota_wants {
    uint32_t node, cell;
    struct gs_numbers heap; /* of wanted[] */
    bool is_eased;
};

struct quota_sleepers {
    const struct quotas *q;
    struct quota_wants *list; /* [quota_node.first + cell] */
    uint32_t lists;
    struct quota_wanted *wanted;
    uint32_t wanted_count, wanted_cap, free;
    uint32_t *first; /* [sleeper] of wanted[]; QUOTA_NONE */
    uint32_t sleepers, first_cap;
    struct gs_numbers eased; /* lists */
    uint32_t open;           /* list that is gone through */
    struct gs_numbers next;  /* places in it that are looked at yet */
};

/* After quotas_cells_done(). */
void quota_sleepers_open(struct quota_sleepers *z, const struct quotas *q);
void quota_sleepers_free(struct quota_sleepers *z);
/* It sleeps until one of the wants is met; with none of them, for ever.  Its
 * former wants are forgotten.
 */
void quota_sleep(struct quota_sleepers *z, uint32_t sleeper,
                 const struct quota_want *want, uint32_t wants);
/* It wants nothing any more. */
void quota_sleep_end(struct quota_sleepers *z, uint32_t sleeper);
/* Is none of its wants met now?  False where it has none. */
bool quota_sleeper_lacks(const struct quota_sleepers *z, uint32_t sleeper);
/* Its only want; false: it has more, or none. */
bool quota_sleeper_want(const struct quota_sleepers *z, uint32_t sleeper,
                        struct quota_want *out);
/* Its wants stay, but quota_sleepers_next() does not return it, until it sleeps
 * together with the others again.
 */
void quota_sleep_apart(struct quota_sleepers *z, uint32_t sleeper);
void quota_sleep_together(struct quota_sleepers *z, uint32_t sleeper);
/* The node and those above it use less of the cell. */
void quota_sleepers_ease(struct quota_sleepers *z, uint32_t node,
                         uint32_t cell);
/* A sleeper of which a want is met, by what was eased, which may come again;
 * its wants stay.  QUOTA_NONE: there is none, until something else is eased.
 */
uint32_t quota_sleepers_next(struct quota_sleepers *z);

#endif /* POLICIES_ADMISSION_QUOTA_SLEEPERS_H */
