/* tests/sim/test_schedulers.c - several schedulers on one cluster: each plans
 * on what it knows, nodes refuse what they have no room for, and it is tried
 * again.
 */
#include "base/array.h"
#include "policies/profile/registry.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"

#define MOST 3 /* schedulers */

/* --- a policy of several -------------------------------------------------- */

struct scheduler_in {
    const char *name, *process, *policy, *set;
};

static struct gsched_profile *policy_of(struct world *w,
                                        const struct scheduler_in *s)
{
    struct gsched_profile *first = NULL, **end = &first;

    for (size_t i = 0; i < MOST && s[i].name; i++) {
        *end = world_profile(w, s[i].policy);
        CU_ASSERT_PTR_NOT_NULL_FATAL(*end);
        if (s[i].set)
            CU_ASSERT_EQUAL_FATAL(
                gsched_profile_set(*end, s[i].set, w->arena, &w->err), 0);
        end = &(*end)->beside;
    }
    for (struct gsched_profile *p = first; p; p = p->beside, s++) {
        p->scheduler = s->name;
        p->process = s->process;
    }
    return first;
}

/* Counts conflicts. */
struct counting {
    struct report_observer observer;
    uint32_t tasks[MOST];
};

static void count(void *self, int64_t now, const struct report_conflict *c)
{
    struct counting *k = self;

    (void)now;
    k->tasks[c->scheduler[0] - 'a'] += c->tasks;
}

/* --- by hand -------------------------------------------------------------- */

#define TOPOLOGY                 \
    "cluster: c\n"               \
    "node_types:\n"              \
    "  g8: {gpus: 8, cpu: 64}\n" \
    "nodes:\n"                   \
    "  - {name: \"n[1-2]\", type: g8}\n"
#define JOB(name, by, at, what)                                          \
    "  - {name: " name ", scheduler: " by ", submit: " at ", duration: " \
    "100s, " what "}\n"

struct hand_case {
    const char *name, *jobs;
    struct scheduler_in by[MOST];
    uint32_t conflicts[MOST]; /* tasks */
    struct {
        const char *job;
        int64_t start; /* s */
    } start[4];
};

#define TWO                         \
    { "a", NULL, "binpack", NULL }, \
    {                               \
        "b", NULL, "binpack", NULL  \
    }

static const struct hand_case cases[] = {
    { "both choose the same node at one instant: the second is refused, and "
      "takes the other",
      JOB("x", "a", "0s", "gpus: 8") JOB("y", "b", "0s", "gpus: 8"),
      { TWO },
      { 0, 1 },
      { { "x", 0 }, { "y", 0 } } },
    { "room for both on the node: other devices, no conflict",
      JOB("x", "a", "0s", "gpus: 4") JOB("y", "b", "0s", "gpus: 4"),
      { TWO },
      { 0, 0 },
      { { "x", 0 }, { "y", 0 } } },
    { "later it sees what the other placed",
      JOB("x", "a", "0s", "gpus: 8") JOB("y", "b", "1s", "gpus: 8"),
      { TWO },
      { 0, 0 },
      { { "x", 0 }, { "y", 1 } } },
    { "schedulers of one process see each other at once",
      JOB("x", "a", "0s", "gpus: 8") JOB("y", "b", "0s", "gpus: 8"),
      { { "a", "one", "binpack", NULL }, { "b", "one", "binpack", NULL } },
      { 0, 0 },
      { { "x", 0 }, { "y", 0 } } },
    { "a gang that loses one task starts as a whole later",
      JOB("x", "a", "0s", "gpus: 8")
          JOB("y", "b", "0s", "replicas: 2, gpus: 8"),
      { TWO },
      { 0, 1 },
      { { "x", 0 }, { "y", 100 } } },
    { "what has no gang keeps the tasks that fit",
      JOB("x", "a", "0s", "gpus: 8")
          JOB("y", "b", "0s", "replicas: 2, gang: 1, gpus: 8"),
      { TWO },
      { 0, 1 },
      { { "x", 0 }, { "y", 0 } } },
    { "the room of a job that ends is free for the other scheduler",
      JOB("x", "a", "0s", "replicas: 2, gpus: 8")
          JOB("y", "b", "1s", "replicas: 2, gpus: 8"),
      { TWO },
      { 0, 0 },
      { { "x", 0 }, { "y", 100 } } },
    { "jobs of no scheduler are the first's",
      "  - {name: x, submit: 0s, duration: 100s, gpus: 8}\n" JOB("y", "b", "0s",
                                                                 "gpus: 8"),
      { TWO },
      { 0, 1 },
      { { "x", 0 }, { "y", 0 } } },
    { "each has its period",
      JOB("w", "a", "0s", "gpus: 1") JOB("x", "a", "1s", "gpus: 2")
          JOB("y", "b", "1s", "gpus: 8") JOB("z", "b", "2s", "gpus: 1"),
      { { "a", NULL, "binpack", "trigger.period=10s" },
        { "b", NULL, "binpack", NULL } },
      { 0, 0 },
      { { "w", 0 }, { "x", 10 }, { "y", 1 }, { "z", 2 } } },
    { "a head of the one waits for what the other holds; its reservation knows "
      "no end of that",
      JOB("x", "a", "0s", "gpus: 8, estimate: 100s")
          JOB("y", "b", "1s", "replicas: 2, gpus: 8, estimate: 100s")
              JOB("z", "b", "2s", "gpus: 8, estimate: 1000s"),
      { { "a", NULL, "binpack", NULL }, { "b", NULL, "easy", NULL } },
      { 0, 0 },
      { { "x", 0 }, { "y", 102 }, { "z", 2 } } },
};

static void check_hand(const struct hand_case *c)
{
    const struct trace_options o = { 0 };
    struct counting k = { .observer = { .conflicted = count } };
    char trace[2048];
    struct world w;

    k.observer.self = &k;
    snprintf(trace, sizeof(trace), "jobs:\n%s", c->jobs);
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, TOPOLOGY, trace, &o), 0);
    CU_ASSERT_EQUAL_FATAL(
        world_run_profile(&w, policy_of(&w, c->by), &k.observer), 0);
    for (size_t i = 0; i < MOST; i++) {
        if (k.tasks[i] != c->conflicts[i])
            printf("%s: %u conflicts of %zu\n", c->name, k.tasks[i], i);
        CU_ASSERT_EQUAL(k.tasks[i], c->conflicts[i]);
    }
    for (size_t i = 0; i < 4 && c->start[i].job; i++) {
        const int64_t start = world_job(&w, c->start[i].job)->start;

        if (start != c->start[i].start * 1000000)
            printf("%s: %s starts at %g\n", c->name, c->start[i].job,
                   (double)start / 1e6);
        CU_ASSERT_EQUAL(start, c->start[i].start * 1000000);
    }
    world_fini(&w);
}

static void test_by_hand(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        check_hand(&cases[i]);
}

/* --- at random ------------------------------------------------------------ */

static const char *const settings[] = { NULL, "trigger.period=7s",
                                        "decision_cost=300ms", NULL };

static void schedulers_draw(struct gs_rng *r, struct scheduler_in *s)
{
    static const char *const names[] = { "a", "b", "c" };
    const size_t count = 2 + below(r, MOST - 1);
    size_t presets = 0;

    while (gsched_preset_at(presets))
        presets++;
    for (size_t i = 0; i < count; i++) {
        s[i].name = names[i];
        do {
            s[i].policy = gsched_preset_at(below(r, (unsigned)presets))->name;
        } while (strcmp(s[i].policy, "conservative") == 0 && below(r, 2));
        s[i].set = settings[below(r, N_ELEMENTS(settings))];
        s[i].process = below(r, 4) ? NULL : "one";
    }
}

static uint64_t run_once(struct world *w, const struct scheduler_in *s,
                         int *faults)
{
    struct gsched_profile *p = policy_of(w, s);
    struct watch v;
    int rc, found;

    watch_open(&v, w, p);
    v.gangs = false; /* those of unit pod are partly placed */
    rc = world_run_profile(w, p, &v.observer);
    found = watch_close(&v);
    if (rc < 0)
        v.rows = 0; /* "it cannot" */
    else
        *faults += found;
    if (rc == 0 && v.faults)
        printf("line %d\n", v.line);
    return v.rows;
}

static int faults_of(uint64_t seed)
{
    const struct trace_options o = { 0 };
    const unsigned features = (unsigned)(seed * 0x9e3779b9u) & 32767
                              & ~(unsigned)RANDOM_ONE_KIND;
    static struct drawn_text topology, trace, outages;
    struct scheduler_in s[MOST] = { 0 };
    struct gs_rng r;
    struct world w;
    int faults = 0;

    topology.len = trace.len = outages.len = 0;
    gs_rng_init(&r, seed, "schedulers");
    topology_make(&r, &topology, features);
    trace_make(&r, &trace, features);
    outages_make(&r, &outages);
    schedulers_draw(&r, s);
    world_init(&w);
    w.until = seed % 8 == 1 ? INT64_C(3600000000) : 0;
    if (world_load(&w, topology.at, trace.at, &o) < 0
        || (seed % 2 && world_outages(&w, outages.at) < 0)) {
        printf("seed %llu: %s\n", (unsigned long long)seed,
               w.err.problem[0].text);
        faults++;
    }
    for (uint32_t i = 0; i < w.work->job_count; i++) {
        const char *name = s[below(&r, 2 + (s[2].name != NULL))].name;

        struct trace_job_aside aside = *w.work->job[i].aside;

        aside.scheduler = gs_strtab_put(w.names, name, strlen(name));
        trace_job_aside_set(w.work, i, &aside);
    }
    if (!faults)
        faults += run_once(&w, s, &faults) != run_once(&w, s, &faults);
    if (faults)
        printf("seed %llu: %d faults under %s, %s, %s\n%s\n%s\n",
               (unsigned long long)seed, faults, s[0].policy, s[1].policy,
               s[2].policy ? s[2].policy : "", topology.at, trace.at);
    world_fini(&w);
    return faults;
}

static void test_random(void)
{
    const uint64_t seeds = suite_rounds(150);
    int faulty = 0;

    for (uint64_t seed = 1; seed <= seeds && faulty < 3; seed++)
        faulty += faults_of(seed) != 0;
    CU_ASSERT_EQUAL(faulty, 0);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "conflicts by hand", test_by_hand },
        { "random schedulers keep the rules", test_random },
    };

    return suite_run("sim/schedulers", suite, N_ELEMENTS(suite));
}
