/* sim/replay/free_gpus.c - divides the free GPUs by why jobs that lack them
 * wait.
 *
 * The reasons are taken in order of enum report_free: GPUs are counted for one
 * as far as nodes that suit the waiting jobs have more of them free.
 */
#include <assert.h>

#include "sim/replay/replay_private.h"
#include "topology/cluster.h"

#define CAUSE(c) (UINT32_C(1) << (c))

static const uint32_t causes_of[REPORT_FREE_REASONS] = {
    [REPORT_FREE_QUOTA] = CAUSE(GSCHED_QUOTA),
    [REPORT_FREE_SHORT] = CAUSE(GSCHED_CAPACITY) | CAUSE(GSCHED_HOARDING),
    [REPORT_FREE_FRAGMENTED] = CAUSE(GSCHED_FRAGMENTATION)
                               | CAUSE(GSCHED_TOPOLOGY)
                               | CAUSE(GSCHED_CONSTRAINT),
    [REPORT_FREE_ORDER] = CAUSE(GSCHED_NO_CAUSE) | CAUSE(GSCHED_ORDER)
                          | CAUSE(GSCHED_LATENCY),
};

/* What is free and not counted yet: of all, and of the classes that were looked
 * at.
 */
struct rest {
    int64_t milli;
    struct free_rest *of_class; /* [class] */
    uint64_t division;
};

static int64_t *rest_of(const struct sim *s, const struct rest *r, uint32_t k)
{
    struct free_rest *of = &r->of_class[k];

    if (of->division != r->division)
        *of = (struct free_rest){ topo_class_free(s->cluster, k, TOPO_GPU),
                                  r->division };
    return &of->milli;
}

/* Count up to `most` GPU thousandths that suit jobs of the kind. */
static int64_t take(const struct sim *s, const struct gsched *sched,
                    uint32_t kind, int64_t most, struct rest *r)
{
    int64_t taken = 0;

    most = most < r->milli ? most : r->milli;
    if (kind == 0) {
        r->milli -= most;
        return most;
    }
    for (uint32_t k = 0; taken < most; k++) {
        int64_t more = most - taken, *rest;

        k = gsched_lack_next(sched, kind, k);
        if (k == UINT32_MAX)
            break;
        rest = rest_of(s, r, k);
        more = more < *rest ? more : *rest;
        *rest -= more;
        taken += more;
    }
    r->milli -= taken;
    return taken;
}

static int64_t lacked_for(const int64_t *milli, enum report_free why)
{
    int64_t sum = 0;

    for (uint32_t left = causes_of[why]; left; left &= left - 1) {
        const uint32_t c = (uint32_t)__builtin_ctz(left);

        assert(milli[c] >= 0);
        sum += milli[c];
    }
    return sum;
}

/* Of a scheduler; *known of it are left out, which counted elsewhere. */
static int64_t scheduler_take(const struct sim *s, const struct gsched *sched,
                              enum report_free why, int64_t *known,
                              struct rest *r)
{
    const int64_t *milli;
    int64_t sum = 0;

    for (uint32_t k = 0; (milli = gsched_lacked(sched, k)); k++) {
        const int64_t most = lacked_for(milli, why);
        const int64_t less = most < *known ? most : *known;

        *known -= less;
        sum += take(s, sched, k, most - less, r);
    }
    return sum;
}

void sim_free_divide(struct sim *s)
{
    const struct topo_totals *t = topo_cluster_totals(s->cluster);
    struct rest r = { t->gpu_free_milli, s->class_rest, ++s->divisions };
    int64_t *part = s->instant.free_milli;

    for (int why = 0; why < REPORT_FREE_REASONS; why++) {
        /* tasks that a quota of the trace holds back count for that */
        int64_t known = why == REPORT_FREE_ORDER ? s->quotas.lack[1] : 0;

        part[why] = 0;
        if (s->instant.waiting == 0)
            continue;
        if (why == REPORT_FREE_QUOTA)
            part[why] += take(s, NULL, 0, s->quotas.lack[0] + s->quotas.lack[1],
                              &r);
        for (uint32_t i = 0; i < s->schedulers.count && r.milli; i++)
            part[why] += scheduler_take(s, s->schedulers.at[i].sched,
                                        (enum report_free)why, &known, &r);
    }
}
