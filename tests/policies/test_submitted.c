/* tests/policies/test_submitted.c - jobs that end before the first cycle after
 * their submission, in any order, by the public functions.
 */
#include "base/rng.h"
#include "tests/lib/bare_host.h"
#include "tests/lib/suite.h"

#define GPUS 64
#define MANY 100000

/* One node, on which all jobs that are not ended fit. */
static void host_init(struct bare_host *h, uint32_t jobs)
{
    const struct topo_request r = { .gpus = 1 };

    bare_host_init(h, 1, GPUS);
    for (uint32_t i = 0; i < jobs; i++) {
        struct trace_group g = { .replicas = 1 };
        struct trace_job_aside aside = { 0 };
        struct trace_job j = { .aside = &aside,
                               .duration = 100,
                               .group_count = 1,
                               .retries = TRACE_NONE };

        g.shape = trace_workload_shape(h->work, &r);
        (void)trace_workload_add(h->work, &j, &g);
    }
    bare_host_start(h, "fifo");
}

static void submit_all(struct bare_host *h, uint32_t jobs)
{
    for (uint32_t i = 0; i < jobs; i++)
        CU_ASSERT_EQUAL_FATAL(gsched_submit(h->sched, i, 1, 0), 0);
}

/* Put the numbers below `count` into a random order. */
static void shuffle(struct gs_rng *r, uint32_t *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = (uint32_t)gs_rng_below(r, i + 1);

        at[i] = at[k];
        at[k] = i;
    }
}

/* Those that are left are placed in the order of their submission. */
static void test_any_order(void)
{
    const uint64_t rounds = suite_rounds(200);
    struct gs_rng r;

    gs_rng_init(&r, 7, "submitted");
    for (uint64_t n = 0; n < rounds; n++) {
        const uint32_t jobs = 1 + (uint32_t)gs_rng_below(&r, GPUS);
        const uint32_t ended = (uint32_t)gs_rng_below(&r, jobs + 1);
        bool is_over[GPUS] = { false };
        uint32_t order[GPUS], count, at = 0;
        const struct gsched_decision *d;
        struct bare_host h;

        host_init(&h, jobs);
        shuffle(&r, order, jobs);
        submit_all(&h, jobs);
        for (uint32_t i = 0; i < ended; i++) {
            CU_ASSERT_EQUAL(gsched_end(h.sched, order[i], 0), 0);
            is_over[order[i]] = true;
        }
        CU_ASSERT_EQUAL(gsched_waiting(h.sched), jobs - ended);
        d = gsched_cycle(h.sched, 1, &count);
        CU_ASSERT_EQUAL(count, jobs - ended);
        for (uint32_t i = 0; i < jobs && at < count; i++) {
            if (is_over[i])
                continue;
            CU_ASSERT_EQUAL(d[at].job, i);
            at++;
        }
        CU_ASSERT_EQUAL(at, count);
        CU_ASSERT_EQUAL(gsched_waiting(h.sched), 0);
        bare_host_fini(&h);
    }
}

/* Each costs the same, however many came before or after it: with a search it
 * would be 5 billion steps in all.
 */
static void test_many(void)
{
    const struct gsched_decision *d;
    uint32_t count;
    struct bare_host h;

    host_init(&h, MANY);
    submit_all(&h, MANY);
    for (uint32_t i = 0; i + 1 < MANY; i++)
        CU_ASSERT_EQUAL_FATAL(gsched_end(h.sched, i, 0), 0);
    d = gsched_cycle(h.sched, 1, &count);
    CU_ASSERT_EQUAL_FATAL(count, 1);
    CU_ASSERT_EQUAL(d[0].job, MANY - 1);
    bare_host_fini(&h);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "jobs end before a cycle in any order", test_any_order },
        { "so many in the order of their submission", test_many },
    };

    return suite_run("policies/submitted", suite, N_ELEMENTS(suite));
}
