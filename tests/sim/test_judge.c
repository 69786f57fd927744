/* tests/sim/test_judge.c - gsched_judge() sees what the placement saw: where a
 * profile scores nodes, a task goes to the node with the most points of those
 * that accept it, the lowest of equals.
 */
#include <stdlib.h>

#include "base/err.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "sim/replay/observer.h"
#include "sim/replay/replay.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "tests/lib/suite.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define LOOKS 30u  /* placements of a run that are looked at */
#define JOBS 2000u /* of a trace */

/* A task that was placed alone at its instant. */
struct look {
    int64_t at;
    uint32_t job, node;
    bool is_alone;
};

struct seen {
    const struct inputs *in;
    struct look look[LOOKS + 1];
    uint32_t looks;
    const struct look *now;
    uint32_t best, refused; /* nodes: the one with most points; those refused */
    bool adds_up;           /* the points of modules are the score */
    uint32_t cycles;
};

static void placed(void *self, int64_t now, const struct report_allocation *s)
{
    struct seen *all = self;
    struct look *last = all->looks ? &all->look[all->looks - 1] : NULL;

    if (last && last->at == now) {
        last->is_alone = false;
        return;
    }
    if (last && !last->is_alone)
        all->looks--; /* of no use */
    if (all->looks < LOOKS && all->in->work->job[s->job].tasks == 1
        && (!last || now > last->at + 1000000))
        all->look[all->looks++] = (struct look){ now, s->job, s->node, true };
}

static void before(void *self, struct gsched *s)
{
    struct seen *all = self;
    const uint32_t nodes = all->in->topo->node_count;
    const uint32_t modules = gsched_module_count(s);
    struct gsched_judged *judged = calloc(nodes, sizeof(*judged));
    int64_t *points = calloc((size_t)nodes * modules, sizeof(*points));

    if (all->cycles++ > 0 || !judged || !points
        || gsched_judge(s, all->now->job, 0, judged, points) < 0) {
        free(judged);
        free(points);
        return;
    }
    for (uint32_t n = 0; n < nodes; n++) {
        int64_t sum = 0;

        all->refused += judged[n].refused != NULL;
        for (uint32_t m = 0; m < modules; m++)
            sum += points[(size_t)n * modules + m];
        all->adds_up &= sum == judged[n].score;
        if (!judged[n].refused
            && (all->best == UINT32_MAX
                || judged[n].score > judged[all->best].score))
            all->best = n;
    }
    free(judged);
    free(points);
}

static void after(void *self, struct gsched *s, const struct gsched_decision *d,
                  uint32_t count)
{
    (void)self;
    (void)s;
    (void)d;
    (void)count;
}

static void profile_check(struct inputs *in, const char *policy)
{
    const struct gsched_profile *p = inputs_policy(in, policy, NULL);
    struct seen all = { .in = in };
    const struct report_observer observer = { .self = &all, .placed = placed };
    const struct report_observer *const list[] = { &observer };
    struct sim_options o = { .seed = 42, .until = SIM_FOREVER };
    struct sim_stats stats;

    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(
        sim_replay(in->topo, in->work, p, &o, list, 1, &stats, NULL), 0);
    CU_ASSERT_TRUE(all.looks > 5);
    for (uint32_t i = 0; i < all.looks; i++) {
        const struct sim_watch watch = { &all, all.look[i].at, before, after };
        struct sim_options to = o;

        if (!all.look[i].is_alone)
            continue;
        to.until = all.look[i].at;
        to.watch = &watch;
        all.now = &all.look[i];
        all.best = UINT32_MAX;
        all.cycles = 0;
        all.adds_up = true;
        CU_ASSERT_EQUAL(
            sim_replay(in->topo, in->work, p, &to, NULL, 0, &stats, NULL), 0);
        CU_ASSERT_EQUAL(all.best, all.look[i].node);
        CU_ASSERT_TRUE(all.adds_up);
        if (all.best != all.look[i].node)
            printf("\n%s: job %u at %lld: %u, not %u\n", policy,
                   all.look[i].job, (long long)all.look[i].at, all.best,
                   all.look[i].node);
    }
    CU_ASSERT_TRUE(all.refused > 0);
}

static void inputs_take(struct inputs *in, const char *trace,
                        const char *topology, uint32_t limit)
{
    const struct trace_options t = { .limit = limit };

    inputs_init(in);
    CU_ASSERT_EQUAL_FATAL(inputs_read(in, trace, topology, &t, NULL), 0);
}

static void test_best(void)
{
    static const char *const policy[] = {
        "binpack",  "spread",      "kube-default",     "volcano",
        "best-fit", "dot-product", "priority-preempt", "drf",
    };
    struct inputs in;

    inputs_take(&in, "traces/samples/philly.csv.gz",
                "topology/samples/philly-tight.yaml", JOBS);
    for (size_t i = 0; i < N_ELEMENTS(policy); i++)
        profile_check(&in, policy[i]);
    inputs_fini(&in);
}

/* Shares of GPUs. */
static void test_shares(void)
{
    static const char *const policy[] = { "binpack", "fgd", "gpu-packing" };
    struct inputs in;

    inputs_take(&in, "traces/samples/openb-pods.csv",
                "topology/samples/openb-nodes.csv", 500);
    for (size_t i = 0; i < N_ELEMENTS(policy); i++)
        profile_check(&in, policy[i]);
    inputs_fini(&in);
}

/* --- asking changes nothing ----------------------------------------------- */

/* A running sum over placements. */
static void hash_placed(void *self, int64_t now,
                        const struct report_allocation *s)
{
    uint64_t *h = self;

    *h = (*h ^ (uint64_t)now) * UINT64_C(0x100000001b3);
    *h = (*h ^ s->job) * UINT64_C(0x100000001b3);
    *h = (*h ^ s->node) * UINT64_C(0x100000001b3);
    *h = (*h ^ s->devices) * UINT64_C(0x100000001b3);
}

/* Ask all there is about the jobs around the instant. */
static void ask_all(void *self, struct gsched *s)
{
    const struct inputs *in = self;
    const uint32_t nodes = in->topo->node_count;
    struct gsched_judged *judged = calloc(nodes, sizeof(*judged));
    int64_t *points = calloc((size_t)nodes * (gsched_module_count(s) + 1),
                             sizeof(*points));
    const char *module;

    for (uint32_t job = 0; judged && points && job < in->work->job_count;
         job++) {
        if (gsched_judge(s, job, 0, judged, points) < 0)
            continue; /* not submitted yet, or over */
        (void)gsched_order_of(s, job, 0, &module);
        (void)gsched_order_of(s, job, job ? job - 1 : 1, &module);
        (void)gsched_wait_refuser(s, job);
    }
    free(judged);
    free(points);
}

static void ask_after(void *self, struct gsched *s,
                      const struct gsched_decision *d, uint32_t count)
{
    (void)d;
    (void)count;
    ask_all(self, s);
}

static uint64_t run_hash(struct inputs *in, const struct gsched_profile *p,
                         const struct sim_watch *watch)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    const struct report_observer observer = { .self = &h,
                                              .placed = hash_placed };
    const struct report_observer *const list[] = { &observer };
    const struct sim_options o = { .seed = 42,
                                   .until = SIM_FOREVER,
                                   .watch = watch };
    struct sim_stats stats;

    CU_ASSERT_EQUAL(
        sim_replay(in->topo, in->work, p, &o, list, 1, &stats, NULL), 0);
    return h;
}

static void test_unchanged(void)
{
    static const char *const policy[] = {
        "fifo",      "binpack",      "spread",         "kube-default",
        "drf",       "consolidated", "volcano",        "volcano-default",
        "easy",      "conservative", "topology",       "priority-preempt",
        "hybrid",    "yunikorn",     "random",         "fgd",
        "lookahead", "best-fit",     "dot-product",    "gpu-packing",
        "kai",       "kueue",        "gpu-clustering",
    };
    struct inputs in;

    inputs_take(&in, "traces/samples/philly.csv.gz",
                "topology/samples/philly-tight.yaml", 400);
    for (size_t i = 0; i < N_ELEMENTS(policy); i++) {
        const struct gsched_profile *p = inputs_policy(&in, policy[i], NULL);
        uint64_t plain;

        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        plain = run_hash(&in, p, NULL);
        for (uint32_t job = 50; job < 400; job += 100) {
            const struct sim_watch watch = { &in, in.work->job[job].submit,
                                             ask_all, ask_after };
            const bool is_same = run_hash(&in, p, &watch) == plain;

            CU_ASSERT_TRUE(is_same);
            if (!is_same)
                printf("\n%s decides otherwise when asked at job %u\n",
                       policy[i], job);
        }
    }
    inputs_fini(&in);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "the node with the most points is taken", test_best },
        { "with shares of GPUs", test_shares },
        { "asking changes no decision", test_unchanged },
    };

    return suite_run("judge", cases, N_ELEMENTS(cases));
}
