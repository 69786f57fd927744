#include "tests/lib/live_world.h"

#define LIVE_INSTANTS 3000 /* above it is a livelock, tested elsewhere */

const struct trace_job *live_spec(const struct live_world *l, uint32_t job)
{
    return &l->w->work->job[job];
}

const struct trace_group *live_group_of(const struct live_world *l,
                                        uint32_t job, uint32_t group)
{
    return trace_group_at(l->w->work, live_spec(l, job)->first_group + group);
}

const struct topo_request *live_request(const struct live_world *l,
                                        const struct gsched_decision *d)
{
    return &l->w->work->shape[live_group_of(l, d->job, d->group)->shape];
}

int32_t live_value(const struct live_world *l, uint32_t job)
{
    return l->w->work->klass[live_spec(l, job)->klass].value;
}

/* The job of the host; NULL before it is submitted. */
static struct live_job *hosted(const struct live_world *l, uint32_t job)
{
    return job < l->host->known_cap ? l->host->known[job] : NULL;
}

bool live_waits(const struct live_world *l, uint32_t job)
{
    return hosted(l, job) && hosted(l, job)->phase == LIVE_PENDING;
}

int64_t live_since(const struct live_world *l, uint32_t job)
{
    const struct live_job *j = hosted(l, job);

    return j && j->phase == LIVE_RUNNING ? j->run_start : LIVE_NEVER;
}

uint32_t live_placed(const struct live_world *l, uint32_t job)
{
    return hosted(l, job) ? hosted(l, job)->bound : 0;
}

uint32_t live_group_placed(const struct live_world *l, uint32_t job,
                           uint32_t group)
{
    const struct live_job *j = hosted(l, job);
    uint32_t first = 0, n = 0;

    for (uint32_t g = 0; g < group; g++)
        first += j->group[g].replicas;
    for (uint32_t i = 0; i < j->group[group].replicas; i++)
        n += j->pod[first + i].node != NULL;
    return n;
}

bool live_is_above(const struct live_world *l, uint32_t queue, uint32_t below)
{
    while (below != queue && below != TRACE_NONE)
        below = l->w->work->queue[below].parent;
    return below == queue;
}

int64_t live_queue_used(const struct live_world *l, uint32_t queue,
                        uint32_t dim)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < l->host->job_count; i++) {
        const struct live_job *j = l->host->job[i];

        if (!live_is_above(l, queue, j->spec.queue))
            continue;
        for (uint32_t g = 0; j->bound && g < j->spec.group_count; g++)
            sum += j->group[g].asks.amount[dim]
                   * live_group_placed(l, j->id, g);
    }
    return sum;
}

/* --- time ----------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When the job ends, or is submitted. */
static int64_t job_next(const struct live_world *l, uint32_t job)
{
    const struct live_job *j = hosted(l, job);

    if (!j)
        return live_spec(l, job)->submit;
    if (j->phase != LIVE_RUNNING || j->spec.duration == TRACE_FOREVER)
        return LIVE_NEVER;
    return j->run_start + j->spec.duration - j->saved;
}

static int64_t next_instant(const struct live_world *l)
{
    int64_t at = live_due(l->host);

    for (uint32_t j = 0; j < l->w->work->job_count; j++)
        at = earlier(at, job_next(l, j));
    if (l->next_turn < l->turns)
        at = earlier(at, l->turn[l->next_turn].at);
    return at;
}

static void job_end(struct live_world *l, uint32_t job)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    while (l->ended && gsched_next_allocation(l->sched, job, &at, &d))
        l->ended(l, &d);
    live_ended(l->host, hosted(l, job), l->now);
}

static void turns_take(struct live_world *l)
{
    for (; l->next_turn < l->turns && l->turn[l->next_turn].at <= l->now;
         l->next_turn++) {
        const struct live_turn *t = &l->turn[l->next_turn];

        if (t->opens)
            gsched_node_uncordoned(l->sched, t->node, l->now);
        else
            gsched_node_cordoned(l->sched, t->node, l->now);
        if (!t->opens && l->cordoned)
            l->cordoned(l);
    }
}

/* Note in which cycle it came to run. */
static void began_note(struct live_world *l, uint32_t job)
{
    if (live_since(l, job) == LIVE_NEVER)
        l->began[job] = 0;
    else if (!l->began[job])
        l->began[job] = l->cycle;
}

static void job_decided(void *listener, const struct gsched_decision *d)
{
    struct live_world *l = listener;

    began_note(l, d->job);
    if (l->decided)
        l->decided(l, d);
}

/* Ends, then nodes, then submissions, then a cycle. */
static void instant(struct live_world *l)
{
    const uint32_t jobs = l->w->work->job_count;
    uint32_t count;

    for (uint32_t j = 0; j < jobs; j++) {
        if (hosted(l, j) && job_next(l, j) == l->now)
            job_end(l, j);
    }
    turns_take(l);
    for (uint32_t j = 0; j < jobs; j++) {
        if (!hosted(l, j) && live_spec(l, j)->submit == l->now)
            (void)live_submit_listed(l->host, j, l->now);
    }
    l->cycle++;
    (void)live_cycle(l->host, l->now, &count);
    for (uint32_t j = 0; j < jobs; j++)
        began_note(l, j);
    if (l->cycled)
        l->cycled(l);
    LIVE_FAULT(l, !live_consistent(l->host));
}

void live_run(struct live_world *l, const char *policy)
{
    struct world *w = l->w;
    int64_t at = 0;

    l->host = live_of(w->topo, w->work, world_profile(w, policy));
    LIVE_FAULT(l, !l->host);
    if (!l->host)
        return;
    l->sched = l->host->sched;
    l->host->decided = job_decided;
    l->host->listener = l;
    if (l->opened)
        l->opened(l);
    l->began = gs_arena_alloc(w->arena, w->work->job_count, sizeof(*l->began));
    for (int i = 0; i < LIVE_INSTANTS && at != LIVE_NEVER; i++) {
        at = next_instant(l);
        l->now = at;
        if (at != LIVE_NEVER)
            instant(l);
    }
    l->faults += (int)l->host->faults;
    live_destroy(l->host);
}

int live_faults(const struct live_case *c, uint64_t seed, struct live_world *l,
                void (*open)(struct live_world *l))
{
    static struct drawn_text topology, trace;
    const struct trace_options o = { 0 };
    struct gs_rng r;
    struct world w;

    topology.len = trace.len = 0;
    gs_rng_init(&r, seed, "live");
    topology_make(&r, &topology, c->features);
    trace_make(&r, &trace, c->features);
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, topology.at, trace.at, &o), 0);
    l->w = &w;
    l->it = c;
    open(l);
    live_run(l, c->profile);
    if (l->faults)
        printf("\n%s, seed %llu: %d faults, the first in line %d\n%s\n%s\n",
               c->what, (unsigned long long)seed, l->faults, l->line,
               topology.at, trace.at);
    world_fini(&w);
    return l->faults;
}

int live_rounds(const struct live_case *c, uint64_t seeds, void *kept,
                void (*open)(struct live_world *l))
{
    int faults = 0;

    for (uint64_t seed = 1; seed <= seeds && !faults; seed++) {
        struct live_world l = { .kept = kept };

        faults = live_faults(c, seed, &l, open);
    }
    return faults;
}
