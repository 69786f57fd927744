/* policies/solver/freed.h - what the units of a trial free, by node.  Recorded
 * units are in each trial of a step of the search: they are summed up once.
 */
#ifndef POLICIES_SOLVER_FREED_H
#define POLICIES_SOLVER_FREED_H

#include <stdbool.h>
#include <stdint.h>

struct gsched;

/* Which sums there are of a node. */
struct freed_mark {
    uint32_t step;  /* of recorded units, in that step */
    uint32_t trial; /* of all units, in that trial */
};

struct freed {
    int64_t *recorded, *all; /* [node * dims + dim] */
    struct freed_mark *mark; /* [node] */
    uint32_t *node, count;   /* nodes with sums, and their number */
    uint32_t recorded_nodes; /* of these, those of recorded units, first */
    int64_t *amount;         /* [i] of the recorded unit in the dimension
                                     in which losses are counted */
    uint32_t amount_cap;
    uint32_t step, trial;
    bool has_recorded; /* recorded units are summed up */
};

void gsched_freed_open(struct gsched *s);
void gsched_freed_free(struct freed *f);
/* Other units may be recorded from now on. */
void gsched_freed_begin(struct freed *f);
/* Sum up what the units in solver->chosen[] hold, of which the recorded ones
 * come first: by node, and by queue, where victims must go (gsched_gift_add()).
 */
void gsched_freed_sum(struct gsched *s);
/* The sums of node f->node[i], by dimension. */
const int64_t *gsched_freed_on(const struct gsched *s, uint32_t i);

#endif /* POLICIES_SOLVER_FREED_H */
