/* tests/sim/test_outages.c - nodes that fail, are drained, go and come: what
 * always holds (watch.h) under any preset and any profile, with worlds drawn
 * at random; a world in which nothing happens is none.
 */
#include <stdlib.h>

#include "policies/profile/profile_file.h"
#include "sim/speed/speed.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"

#define WORLDS 5
#define PROFILES 14
#define FIRST 1

static struct drawn_text topology, trace, outages, profile, speeds;

/* The autoscaler keeps to its limits; work that was lost adds up. */
struct limits {
    struct watch watch;
    uint32_t there[2]; /* nodes of the types a, b */
    int64_t lost;      /* GPU us */
};

static void on_node(void *self, int64_t now, const struct report_node *n)
{
    struct limits *l = self;
    struct watch *v = &l->watch;
    const struct sim_scenario *o = v->w->outages;
    const uint32_t first = v->w->topo->klass[v->w->topo->node_class[0]].type;
    const struct sim_scale *k = NULL;
    const uint32_t type =
        v->w->topo->klass[v->w->topo->node_class[n->node]].type;
    uint32_t *there = &l->there[type != first];
    const bool was = v->state[n->node] != REPORT_NODE_ABSENT;

    watch_node(v, now, n);
    if (n->device != UINT32_MAX)
        return;
    *there += (uint32_t)(n->state != REPORT_NODE_ABSENT) - was;
    for (uint32_t i = 0; i < o->scale_count; i++)
        k = o->scale[i].type == type ? &o->scale[i] : k;
    if (k && n->is_scaled) {
        FAULT(v, *there > k->max);
        /* events may have taken some of those that it left */
        FAULT(v, n->state == REPORT_NODE_ABSENT && o->event_count == 0
                     && *there < k->min);
    }
}

static void on_evicted(void *self, int64_t now, const struct report_eviction *e)
{
    struct limits *l = self;

    watch_evicted(&l->watch, now, e);
    l->lost += e->lost_gpu_us;
}

static void on_ended(void *self, int64_t now, const struct report_job *j)
{
    struct limits *l = self;

    watch_ended(&l->watch, now, j);
    l->lost -= j->lost_gpu_us;
}

static const struct gsched_profile *running;

static void stuck(void)
{
    printf("%s does not end\n%s\n%s\n%s\n%s\n%s\n", running->name, profile.at,
           topology.at, trace.at, outages.at, speeds.at);
    exit(EXIT_FAILURE);
}

static void limits_open(struct limits *l, const struct world *w,
                        const struct gsched_profile *p)
{
    watch_open(&l->watch, w, p);
    l->lost = 0;
    l->there[0] = l->there[1] = 0;
    for (uint32_t n = 0; n < w->topo->node_count; n++)
        l->there[w->topo->klass[w->topo->node_class[n]].type
                 != w->topo->klass[w->topo->node_class[0]].type]++;
    l->watch.stuck = stuck;
    l->watch.paced = w->speed != NULL;
    l->watch.observer.node = on_node;
    l->watch.observer.evicted = on_evicted;
    l->watch.observer.ended = on_ended;
}

/* Millionths of us. */
__extension__ typedef __int128 work;

/* What the legs of a job did, less what it lost with nodes, is its duration.
 * Each eviction rounds what is lost and kept, at most at the speed it then had.
 * Those that others evicted may have had that for no time: no leg tells it.
 */
static bool is_work_amiss(const struct world *w)
{
    const struct report_log *l = w->log;
    const uint32_t n = w->work->job_count;
    work *left = gs_array_new(n + 1, sizeof(*left));
    work *slack = gs_array_new(n + 1, sizeof(*slack));
    bool is_amiss = false;

    for (uint32_t j = 0; j < n; j++)
        left[j] = (work)w->work->job[j].duration * SIM_FULL_SPEED;
    for (uint32_t i = 0; i < l->segment_count; i++) {
        const struct report_run_segment *g = &l->segment[i];

        left[g->job] -= (work)g->us * g->speed;
        if (slack[g->job] < g->speed)
            slack[g->job] = g->speed;
    }
    for (uint32_t i = 0; i < l->eviction_count; i++) {
        const struct report_eviction *e = &l->eviction[i].what;
        const int64_t at = l->eviction[i].at;
        uint32_t speed = 0;

        for (uint32_t k = 0; e->lost_us && k < l->segment_count; k++) {
            const struct report_run_segment *g = &l->segment[k];

            if (g->job == e->job && g->start + g->us == at)
                speed = g->speed;
        }
        left[e->job] += (work)e->lost_us * speed;
        if (e->kind != REPORT_LOST)
            slack[e->job] = INT64_MAX;
    }
    for (uint32_t j = 0; j < n; j++) {
        const struct report_job *r = &w->job[j];
        const work room = (slack[j] + SIM_FULL_SPEED)
                          * (1 + (work)r->preemptions);

        if (r->state != REPORT_DONE || w->work->job[j].aside->withdraws)
            continue;
        if (left[j] > room || left[j] < -room) {
            printf("job %u: %lld us of work too few\n", j,
                   (long long)(left[j] / SIM_FULL_SPEED));
            is_amiss = true;
        }
    }
    gs_array_free(left);
    gs_array_free(slack);
    return is_amiss;
}

/* Faults under one profile; *rows becomes the hash of what happened. */
static int faults_once(struct world *w, const struct gsched_profile *p,
                       uint64_t *rows)
{
    static struct limits l;
    int faults;

    running = p;
    limits_open(&l, w, p);
    if (world_run_profile(w, p, &l.watch.observer) < 0) {
        gs_array_free(l.watch.placed);
        gs_array_free(l.watch.ends);
        *rows = 0;
        return 0; /* it says that it cannot */
    }
    FAULT(&l.watch, l.lost != 0);
    FAULT(&l.watch, w->speed && is_work_amiss(w));
    *rows = l.watch.rows;
    faults = watch_close(&l.watch);
    if (faults)
        printf("%s: %d faults, the first in line %d\n", p->name, faults,
               l.watch.line);
    return faults;
}

static int faults_under(struct world *w, const struct gsched_profile *p)
{
    uint64_t rows, again;
    int faults = faults_once(w, p, &rows);

    faults += faults_once(w, p, &again);
    return faults + (rows != again);
}

/* The same rows without a world, and with one in which nothing happens. */
static int differ(struct world *w, const struct gsched_profile *p)
{
    struct sim_scenario *kept = w->outages;
    uint64_t none, empty;
    int faults;

    w->outages = NULL;
    faults = faults_once(w, p, &none);
    w->outages = kept;
    faults += world_outages(w, "events: []\nfailures: []\n") < 0;
    faults += faults_once(w, p, &empty);
    return faults + (none != empty);
}

static int speed_draw(struct world *w, struct gs_rng *r)
{
    struct gs_input *in;

    speed_make(r, &speeds);
    in = gs_input_open_memory("drawn", speeds.at, speeds.len);
    w->speed = sim_speed_read(in, w->topo, w->arena, &w->err);
    gs_input_close(in);
    return w->speed ? 0 : -1;
}

static bool world_draw(struct world *w, struct gs_rng *r, unsigned features)
{
    const struct trace_options o = { 0 };

    topology.len = trace.len = outages.len = speeds.len = 0;
    speeds.at[0] = '\0';
    topology_make(r, &topology, features);
    trace_make(r, &trace, features);
    outages_make(r, &outages);
    world_init(w);
    if (world_load(w, topology.at, trace.at, &o) == 0
        && world_outages(w, outages.at) == 0
        && (below(r, 2) || speed_draw(w, r) == 0))
        return true;
    printf("%s\n", w->err.problem[0].text);
    return false;
}

static int faults_of(uint64_t seed)
{
    static const unsigned kinds[] = { 0,
                                      RANDOM_MIG,
                                      RANDOM_ONE_KIND | RANDOM_ESTIMATES
                                          | RANDOM_WHOLE,
                                      RANDOM_SAVES,
                                      RANDOM_ALL,
                                      RANDOM_ALL | RANDOM_LEAVES };
    struct gs_rng r;
    struct world w;
    int faults = 0;

    gs_rng_init(&r, seed, "outages");
    if (!world_draw(&w, &r, kinds[seed % N_ELEMENTS(kinds)]))
        faults++;
    for (size_t i = 0; !faults && gsched_preset_at(i); i++) {
        const char *policy = gsched_preset_at(i)->name;

        faults += faults_under(&w, gsched_profile_named(policy, w.arena, NULL));
    }
    for (size_t i = 0; !faults && seed % 5 == 0 && gsched_preset_at(i); i++)
        faults += differ(
            &w, gsched_profile_named(gsched_preset_at(i)->name, w.arena, NULL));
    if (faults)
        printf("seed %llu: %d faults\n%s\n%s\n%s\n%s\n",
               (unsigned long long)seed, faults, topology.at, trace.at,
               outages.at, speeds.at);
    world_fini(&w);
    return faults;
}

static void test_presets(void)
{
    /* nodes are brought in vain, and a plan is put off, for ever */
    int faulty = faults_of(13474) != 0;

    for (uint64_t seed = FIRST;
         seed < FIRST + suite_rounds(WORLDS) && faulty < 3; seed++)
        faulty += faults_of(seed) != 0;
    CU_ASSERT_EQUAL(faulty, 0);
}

static int faults_of_profile(uint64_t seed, int *run)
{
    struct gsched_profile *p;
    struct gs_input *in;
    struct gs_rng r;
    struct world w;
    int faults = 0;

    profile.len = 0;
    gs_rng_init(&r, seed, "outages, profiles");
    profile_make(&r, &profile, below(&r, 4) ? "gang " : "");
    if (!world_draw(&w, &r,
                    below(&r, 2)
                        ? below(&r, RANDOM_ALL + 1) | below(&r, 4) * RANDOM_MIG
                        : 0)) {
        world_fini(&w);
        return 1;
    }
    in = gs_input_open_memory("drawn", profile.at, profile.len);
    p = gsched_profile_read(in, w.arena, &w.err);
    gs_input_close(in);
    if (p)
        faults = faults_under(&w, p);
    *run += p != NULL;
    if (faults)
        printf("seed %llu\n%s\n%s\n%s\n%s\n%s\n", (unsigned long long)seed,
               profile.at, topology.at, trace.at, outages.at, speeds.at);
    world_fini(&w);
    return faults;
}

static void test_profiles(void)
{
    int faulty = 0, run = 0;

    for (uint64_t seed = FIRST;
         seed < FIRST + suite_rounds(PROFILES) && faulty < 3; seed++)
        faulty += faults_of_profile(seed, &run) != 0;
    CU_ASSERT_EQUAL(faulty, 0);
    CU_ASSERT_TRUE((uint64_t)run > suite_rounds(PROFILES) / 2);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "outages keep the rules under every preset", test_presets },
        { "outages keep the rules under random profiles", test_profiles },
    };

    return suite_run("sim/outages", suite, N_ELEMENTS(suite));
}
