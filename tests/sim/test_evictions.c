/* tests/sim/test_evictions.c - jobs that may be evicted and what for, and how
 * many tasks jobs run with, on random workloads.
 *
 * Nothing is evicted unless the job it is for starts in that very cycle;
 * preemption takes from strictly lower priorities in the same queue, reclaim
 * from other queues, none of which falls below its guarantee; jobs that say
 * `preemptible: false`, and those that run for less than the minimum, stay.
 * Jobs run with their gang at least and with all their tasks at most.
 */
#include "tests/lib/live_world.h"

#define MIN_RUNTIME INT64_C(20000000)

enum kind { SURPLUS = 1, RUNTIME = 2, IN_QUEUES = 4 };

#define MODULES(actions, more) "actions: [" actions "]\nmodules: [" more "]\n"
#define BOTH "enqueue, allocate, preempt, reclaim, backfill"

static const struct live_case cases[] = {
    { "priority-preempt", "priority-preempt", RANDOM_CLASSES | RANDOM_ELASTIC,
      0 },
    { "gangs", "priority-preempt", RANDOM_CLASSES, 0 },
    { "only above gangs",
      MODULES("allocate, preempt",
              "priority, {gang: {victims: surplus}}, binpack"),
      RANDOM_CLASSES | RANDOM_ELASTIC, SURPLUS },
    { "a least run time",
      MODULES("allocate, preempt",
              "priority, gang, {min-runtime: {time: 20s}}, binpack"),
      RANDOM_CLASSES | RANDOM_ELASTIC, RUNTIME },
    { "reclaim", MODULES("allocate, reclaim", "gang, queue, binpack"),
      RANDOM_QUEUES | RANDOM_CLASSES, IN_QUEUES },
    { "reclaim of what is borrowed",
      MODULES(BOTH, "priority, gang, {queue: {mode: capacity}}, binpack"),
      RANDOM_QUEUES | RANDOM_CLASSES | RANDOM_ELASTIC, IN_QUEUES },
    { "all of it",
      MODULES(BOTH, "priority, gang, {min-runtime: {time: 20s}}, "
                    "{queue: {mode: capacity}}, constraints, topology"),
      RANDOM_ALL, IN_QUEUES | RUNTIME },
    { "hybrid", "hybrid", RANDOM_CLASSES | RANDOM_ELASTIC | RANDOM_ESTIMATES,
      0 },
};

struct seen {
    uint64_t count; /* evictions */
    uint32_t *owed; /* [job] cycle in which others went for it */
};

static int64_t total_of(const struct live_world *l, uint32_t dim)
{
    const struct topo *t = l->w->topo;
    int64_t sum = 0;

    for (uint32_t n = 0; n < t->node_count; n++)
        sum += t->klass[t->node_class[n]].capacity[dim];
    return sum;
}

/* The queues that lose what the taker's do not: each keeps its guarantee. */
static void guarantees_check(struct live_world *l,
                             const struct gsched_decision *d)
{
    const struct trace_queue *queue = l->w->work->queue;
    const uint32_t to = live_spec(l, d->by)->queue;
    const struct topo_request *r = live_request(l, d);
    uint32_t q = live_spec(l, d->job)->queue;

    LIVE_FAULT(l, q == to || queue[q].keeps);
    for (; !live_is_above(l, q, to); q = queue[q].parent) {
        for (uint32_t k = 0; k < l->w->topo->dims->count; k++) {
            const int64_t gone = r->amount[k] * d->grant.tasks;

            LIVE_FAULT(
                l, gone > 0 && k != TOPO_PODS && total_of(l, k) > 0
                       && live_queue_used(l, q, k) - gone
                              < trace_queue_amounts(&queue[q])->guarantee[k]);
        }
        if (queue[q].parent == TRACE_NONE)
            break;
    }
}

static void victim_check(struct live_world *l, const struct gsched_decision *d)
{
    const struct live_case *c = l->it;
    const struct trace_job *victim = live_spec(l, d->job);
    const struct trace_job *taker = live_spec(l, d->by);
    struct seen *seen = l->kept;

    seen->count++;
    seen->owed[d->by] = l->cycle;
    LIVE_FAULT(l, victim->fixed);
    LIVE_FAULT(l, !l->w->work->klass[taker->klass].preempts);
    LIVE_FAULT(l, d->reason == GSCHED_TIMEOUT);
    LIVE_FAULT(l, (c->kind & SURPLUS) && d->kind != GSCHED_SHRINK);
    LIVE_FAULT(l, (c->kind & RUNTIME)
                      && l->now - live_since(l, d->job) < MIN_RUNTIME);
    LIVE_FAULT(l, l->began[d->job] == l->cycle);
    if (d->reason == GSCHED_PREEMPTED) {
        LIVE_FAULT(l, live_value(l, d->job) >= live_value(l, d->by));
        LIVE_FAULT(l, (c->kind & IN_QUEUES) && victim->queue != taker->queue);
    } else {
        guarantees_check(l, d);
    }
}

static void eviction_decided(struct live_world *l,
                             const struct gsched_decision *d)
{
    if (d->kind == GSCHED_EVICT || d->kind == GSCHED_SHRINK)
        victim_check(l, d);
    if (d->kind == GSCHED_SHRINK)
        LIVE_FAULT(l, live_placed(l, d->job) - d->grant.tasks
                          < live_spec(l, d->job)->gang);
}

/* Nothing, or at least its gang and at most all. */
static void size_check(struct live_world *l, uint32_t job)
{
    const struct trace_job *j = live_spec(l, job);

    if (live_placed(l, job) == 0)
        return;
    LIVE_FAULT(l, live_placed(l, job) < j->gang);
    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t n = live_group_placed(l, job, g);

        LIVE_FAULT(l, n < live_group_of(l, job, g)->min);
        LIVE_FAULT(l, n > live_group_of(l, job, g)->replicas);
    }
}

static void eviction_cycled(struct live_world *l)
{
    const struct seen *seen = l->kept;

    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        LIVE_FAULT(
            l, seen->owed[j] == l->cycle
                   && (l->began[j] != l->cycle || live_since(l, j) != l->now));
        size_check(l, j);
    }
}

static void evictions_open(struct live_world *l)
{
    struct seen *seen = l->kept;

    seen->owed = gs_arena_alloc(l->w->arena, l->w->work->job_count,
                                sizeof(*seen->owed));
    l->decided = eviction_decided;
    l->cycled = eviction_cycled;
}

static void test_evictions(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct seen seen = { .count = 0 };
        int faulty;

        faulty = live_rounds(&cases[i], seeds, &seen, evictions_open);
        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(faulty || seen.count >= seeds / 10);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "evictions at random keep the rules of their action",
          test_evictions },
    };

    return suite_run("sim/evictions", suite, N_ELEMENTS(suite));
}
