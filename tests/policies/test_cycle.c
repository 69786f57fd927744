/* tests/policies/test_cycle.c - a host on libgsched.a alone; once warm, a cycle
 * allocates no memory.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/bare_host.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/suite.h"

#define NODES 32
#define ROUNDS 16
#define JOBS 200 /* a round */

/* --- counting allocations, where no sanitizer does ------------------------ */

#if defined(__SANITIZE_ADDRESS__)
#define COUNTS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COUNTS 0
#endif
#endif
#ifndef COUNTS
#define COUNTS 1
#endif

static unsigned long allocations;

#if COUNTS
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    allocations++;
    return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    allocations++;
    return __libc_realloc(p, size);
}
#endif

/* --- a host --------------------------------------------------------------- */

/* Gangs of 1 to 16 tasks, shares and CPU tasks, the same in every round. */
static void jobs_make(struct bare_host *l)
{
    for (uint32_t i = 0; i < ROUNDS * JOBS; i++) {
        const uint32_t kind = i % JOBS % 7;
        struct topo_request r = { .gpus = kind < 4 ? 1u << kind : 0,
                                  .share = kind == 4 ? 300 : 0 };
        struct trace_group g = { .replicas = kind == 3 ? 2 : 1 + i % 5 };
        struct trace_job j = {
            .submit = i, .duration = 10, .group_count = 1, .retries = TRACE_NONE
        };

        r.amount[TOPO_CPU] = 1000 * (1 + i % 3);
        g.shape = trace_workload_shape(l->work, &r);
        (void)trace_workload_add(l->work, &j, &g);
    }
    trace_workload_finish(l->work, 0);
}

/* Submit the jobs of a round while a node is closed and a GPU failed, then end
 * placed jobs until all were placed.  Returns the number of tasks placed;
 * *allocated counts the allocations of this round.
 */
static uint32_t round_run(struct bare_host *l, uint32_t round,
                          unsigned long *allocated)
{
    static uint32_t running[JOBS * 16];
    const unsigned long before = allocations;
    uint32_t tasks = 0, count = 1;
    int64_t now = round * INT64_C(1000000000);

    gsched_node_cordoned(l->sched, 1, now);
    gsched_gpu_failed(l->sched, 2, 5, now);
    for (uint32_t i = round * JOBS; i < (round + 1) * JOBS; i++)
        gsched_submit(l->sched, i, l->work->job[i].tasks, now);
    while (count) {
        const struct gsched_decision *d = gsched_cycle(l->sched, ++now, &count);
        uint32_t n = 0;

        if (count == 0 && gsched_next_wake(l->sched) != GSCHED_NEVER) {
            now = gsched_next_wake(l->sched); /* the end of a pause */
            d = gsched_cycle(l->sched, now, &count);
        }
        if (tasks && count) { /* some are placed: the rest comes back */
            gsched_node_uncordoned(l->sched, 1, now);
            gsched_gpu_repaired(l->sched, 2, 5, now);
        }
        for (uint32_t k = 0; k < count; k++) {
            tasks += d[k].grant.tasks;
            if (n == 0 || running[n - 1] != d[k].job)
                running[n++] = d[k].job;
        }
        for (uint32_t k = 0; k < n; k++) {
            if (gsched_placed(l->sched, running[k])
                == l->work->job[running[k]].tasks)
                gsched_end(l->sched, running[k], now);
        }
    }
    *allocated = allocations - before;
    return tasks;
}

static const struct {
    const char *name;
    bool warms; /* random placement never runs out of states
                                   that were not seen before */
} policies[] = {
    { "binpack", true }, { "spread", true },
    { "fifo", true },    { "kube-default", true },
    { "random", false }, { "priority,gang,fit,least-allocated,retry", true },
};

static void test_warm(void)
{
    for (size_t i = 0; i < N_ELEMENTS(policies); i++) {
        unsigned long allocated = 0;
        uint32_t first = 0, tasks = 0;
        struct bare_host l;

        bare_host_init(&l, NODES, 8);
        jobs_make(&l);
        bare_host_start(&l, policies[i].name);
        for (uint32_t round = 0; round < ROUNDS; round++) {
            tasks = round_run(&l, round, &allocated);
            first = round ? first : tasks;
        }
        CU_ASSERT_EQUAL(tasks, first);
        CU_ASSERT(tasks > JOBS);
        CU_ASSERT_EQUAL(gsched_waiting(l.sched), 0);
        CU_ASSERT(cluster_is_right(l.cluster));
        CU_ASSERT_EQUAL(topo_cluster_totals(l.cluster)->gpu_free_milli,
                        NODES * 8000);
        if (COUNTS && policies[i].warms) {
            CU_ASSERT(allocations > 0); /* the counter works */
            CU_ASSERT_EQUAL(allocated, 0);
        }
        bare_host_fini(&l);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a warm cycle allocates no memory", test_warm },
    };

    return suite_run("policies/cycle", suite, N_ELEMENTS(suite));
}
