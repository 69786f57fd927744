/* policies/pending/lacking.h - GPUs that waiting jobs lack, by wait cause.
 *
 * The sums change with the wait reasons (wait_clock.c), not with time.  They
 * are kept by kind of job: jobs that nodes of the same classes suit.  Kind 0
 * has the jobs that all nodes with GPUs suit, and those of further kinds when
 * there are more than LACK_KINDS.
 */
#ifndef POLICIES_PENDING_LACKING_H
#define POLICIES_PENDING_LACKING_H

#include "policies/state/state.h"

#define LACK_KINDS 8u

/* What one job lacks. */
struct lack {
    int64_t gang, held; /* GPU thousandths that its gang asks for; it holds */
    uint8_t kind;
};

/* [kind][cause] GPU thousandths */
struct lack_sums {
    int64_t milli[LACK_KINDS][GSCHED_CAUSES];
};

/* Sums by kind; most jobs are of kind 0. */
struct lack_row {
    int64_t first;   /* of kind 0 */
    int64_t *others; /* [kind - 1]; NULL: nothing */
};

struct gsched_lacking {
    struct lack_sums all;
    uint32_t kinds;
    bool *suits[LACK_KINDS];          /* [class] its nodes suit the kind */
    uint32_t *next[LACK_KINDS];       /* [class] the first from it on that does;
                                   UINT32_MAX */
    uint32_t gpu_classes[LACK_KINDS]; /* of these, with GPUs */
    uint8_t *kind_of;                 /* [shape] its kind + 1; 0: not known */
    uint32_t shape_count, kind_cap;
};

static inline int64_t gsched_lack_in(const struct lack_row *r, uint32_t kind)
{
    if (kind == 0)
        return r->first;
    return r->others ? r->others[kind - 1] : 0;
}

void gsched_lack_add(struct gsched *s, struct lack_row *r, uint32_t kind,
                     int64_t milli);
void gsched_lacking_open(struct gsched *s);
void gsched_lacking_free(struct gsched *s);
/* What the job lacks now. */
struct lack gsched_lack_of(struct gsched *s, uint32_t job);
/* GPU thousandths, 0 or more. */
static inline int64_t gsched_lack_milli(const struct lack *l)
{
    return l->gang > l->held ? l->gang - l->held : 0;
}

#endif /* POLICIES_PENDING_LACKING_H */
