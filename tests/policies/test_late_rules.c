/* tests/policies/test_late_rules.c - adding jobs one by one gives the same
 * decisions as knowing all at the start: rules may name labels of earlier jobs.
 */
#include "base/rng.h"
#include "tests/lib/bare_host.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/suite.h"

#define NODES 6
#define JOBS 60
#define ROUNDS 40

struct host {
    struct bare_host b;
    int64_t end[JOBS]; /* 0: does not run */
    uint64_t told;     /* hash of all decisions */
    uint32_t tasks;    /* placed */
};

static uint32_t drawn_label(struct host *h, struct gs_rng *r)
{
    char text[5] = "app=";

    text[3] = (char)('a' + gs_rng_below(r, 4));
    return bare_host_id(&h->b, text);
}

/* One task, often labelled; now and then with a rule about a label or a spread
 * of its tasks.
 */
static void job_add(struct host *h, struct gs_rng *r, uint32_t i)
{
    struct topo_request request = { .gpus = 1 };
    struct trace_group g = { .replicas = 1 + (uint32_t)gs_rng_below(r, 2) };
    struct trace_job_aside aside = { 0 };
    struct trace_job j = { .aside = &aside,
                           .submit = i,
                           .duration = 1,
                           .group_count = 1,
                           .retries = TRACE_NONE };

    g.shape = trace_workload_shape(h->b.work, &request);
    if (gs_rng_below(r, 3)) {
        const uint32_t label = drawn_label(h, r);

        aside.first_label = trace_workload_labels(h->b.work, &label, 1);
        aside.label_count = 1;
    }
    if (gs_rng_below(r, 5) == 0) {
        struct trace_rule rule = { .kind = (enum trace_rule_kind)gs_rng_below(
                                       r, 3),
                                   .label = drawn_label(h, r),
                                   .tier = bare_host_id(&h->b, "node"),
                                   .max_skew = 1 };

        g.first_rule = trace_workload_rules(h->b.work, &rule, 1);
        g.rule_count = 1;
    }
    (void)trace_workload_add(h->b.work, &j, &g);
}

static void host_init(struct host *h, const char *policy, uint64_t seed,
                      uint32_t known, struct gs_rng *r)
{
    *h = (struct host){ .tasks = 0 };
    bare_host_init(&h->b, NODES, 4);
    gs_rng_init(r, seed, "jobs");
    for (uint32_t i = 0; i < known; i++)
        job_add(h, r, i);
    bare_host_start(&h->b, policy);
}

static void tell(struct host *h, uint64_t x)
{
    h->told = (h->told ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    h->told ^= h->told >> 29;
}

/* One cycle; jobs run for 9 more. */
static void cycle(struct host *h, int64_t now)
{
    uint32_t count;
    const struct gsched_decision *d = gsched_cycle(h->b.sched, now, &count);

    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t t = 0; t < d[i].grant.tasks; t++) {
            tell(h, (uint64_t)now << 32 | d[i].job);
            tell(h, (uint64_t)d[i].grant.node << 32 | (d[i].first_task + t));
            tell(h, d[i].kind);
        }
        h->tasks += d[i].kind == GSCHED_PLACE ? d[i].grant.tasks : 0;
        if (gsched_placed(h->b.sched, d[i].job)
            == h->b.work->job[d[i].job].tasks)
            h->end[d[i].job] = now + 9;
    }
    for (uint32_t i = 0; i < h->b.work->job_count; i++) {
        if (h->end[i] == now && now) {
            gsched_end(h->b.sched, i, now);
            h->end[i] = 0;
        }
    }
}

/* `known` jobs are in the workload from the start, the others come later. */
static void play(struct host *h, const char *policy, uint64_t seed,
                 uint32_t known)
{
    struct gs_rng r;

    host_init(h, policy, seed, known, &r);
    for (uint32_t i = 0; i < JOBS; i++) {
        if (i >= known)
            job_add(h, &r, i);
        gsched_submit(h->b.sched, i, h->b.work->job[i].tasks, i + 1);
        cycle(h, i + 1);
    }
    for (int64_t now = JOBS + 1; now < 3 * JOBS; now++)
        cycle(h, now);
}

static void test_late(void)
{
    static const char *const policies[] = { "kube-default", "volcano",
                                            "gang,constraints,binpack" };

    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        for (size_t i = 0; i < N_ELEMENTS(policies); i++) {
            struct host all, some, none;

            play(&all, policies[i], seed, JOBS);
            play(&some, policies[i], seed, JOBS / 3);
            play(&none, policies[i], seed, 0);
            CU_ASSERT(all.tasks > JOBS / 2);
            CU_ASSERT_EQUAL(some.tasks, all.tasks);
            CU_ASSERT_EQUAL(some.told, all.told);
            CU_ASSERT_EQUAL(none.tasks, all.tasks);
            CU_ASSERT_EQUAL(none.told, all.told);
            CU_ASSERT(cluster_is_right(none.b.cluster));
            bare_host_fini(&all.b);
            bare_host_fini(&some.b);
            bare_host_fini(&none.b);
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "rules that come later find earlier jobs", test_late },
    };

    return suite_run("policies/late_rules", suite, N_ELEMENTS(suite));
}
