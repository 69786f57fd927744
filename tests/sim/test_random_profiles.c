/* tests/sim/test_random_profiles.c - whatever a profile is made of, what must
 * hold holds: see watch.h.  A replay that does not end is a fault too.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "policies/profile/profile_file.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/watch.h"

#define PROFILES 150
#define SECONDS 300 /* of processor; one profile takes milliseconds */

/* Seeds that did not end, or crashed, once; drawn without MIG. */
static const uint64_t once[] = { 16865, 20123, 25991, 28645,
                                 50923, 57176, 3196,  7113 };

static struct drawn_text topology, trace, profile;
static unsigned long long drawn;
static int fault_line;

static void show(void)
{
    printf("seed %llu\n%s\n%s\n%s\n", drawn, profile.at, topology.at, trace.at);
}

static void stuck(void)
{
    printf("does not end: ");
    show();
    exit(EXIT_FAILURE);
}

/* A cycle that does not end: write what can be written from here. */
static void on_alarm(int sig)
{
    const char *const what[] = { profile.at, topology.at, trace.at };

    (void)sig;
    for (size_t i = 0; i < N_ELEMENTS(what); i++) {
        if (write(STDERR_FILENO, what[i], strlen(what[i])) < 0)
            break;
    }
    _exit(EXIT_FAILURE);
}

/* From now on so long. */
static void guard(time_t seconds)
{
    const struct itimerval t = { .it_value = { .tv_sec = seconds } };

    CU_ASSERT_EQUAL_FATAL(setitimer(ITIMER_PROF, &t, NULL), 0);
}

static int faults_once(struct world *w, const struct gsched_profile *p,
                       uint64_t *rows, bool *runs)
{
    struct watch v;

    watch_open(&v, w, p);
    v.stuck = stuck;
    *runs = world_run_profile(w, p, &v.observer) == 0;
    *rows = v.rows;
    fault_line = v.line;
    if (!*runs)
        v.ends = (gs_array_free(v.ends), NULL);
    return *runs ? watch_close(&v) : (gs_array_free(v.placed), 0);
}

/* Draw all anew; true when the profile could run. */
static bool faults_of(uint64_t seed, int *faulty)
{
    const struct trace_options o = { 0 };
    const unsigned cuts = seed < once[0] && seed % 4 == 0 ? RANDOM_MIG : 0;
    struct gs_rng r;
    struct world w;
    struct gsched_profile *p;
    struct gs_input *in;
    uint64_t rows, again;
    int faults = 0;
    bool runs = false;

    drawn = seed;
    topology.len = trace.len = profile.len = 0;
    gs_rng_init(&r, seed, "random profiles");
    topology_make(&r, &topology, cuts);
    profile_make(&r, &profile, below(&r, 8) ? "gang " : "");
    trace_make(&r, &trace,
               (below(&r, 2) ? below(&r, RANDOM_ALL + 1) : RANDOM_ALL)
                   | (below(&r, 8) ? 0 : RANDOM_ONE_KIND)
                   | (seed % 3 ? 0 : RANDOM_PREFERS) | cuts
                   | (seed % 5 == 1 && seed < once[0] ? RANDOM_TASKS : 0));
    world_init(&w);
    if (world_load(&w, topology.at, trace.at, &o) < 0) {
        printf("seed %llu: %s\n%s\n", drawn, w.err.problem[0].text, trace.at);
        *faulty += 1;
        world_fini(&w);
        return false;
    }
    in = gs_input_open_memory("drawn", profile.at, profile.len);
    p = gsched_profile_read(in, w.arena, &w.err);
    gs_input_close(in);
    if (p)
        faults = faults_once(&w, p, &rows, &runs);
    if (runs) {
        faults += faults_once(&w, p, &again, &runs);
        faults += rows != again;
    } else if (getenv("SHOW_REFUSED")) {
        printf("%llu: %s\n", drawn, w.err.problem[0].text);
    }
    if (faults) {
        printf("%d faults, the first in line %d: ", faults, fault_line);
        show();
    }
    *faulty += faults != 0;
    world_fini(&w);
    return runs;
}

static void test_profiles(void)
{
    const uint64_t seeds = suite_rounds(PROFILES);
    uint64_t run = 0;
    int faulty = 0;

    signal(SIGPROF, on_alarm);
    for (size_t i = 0; i < N_ELEMENTS(once); i++) {
        guard(SECONDS);
        faults_of(once[i], &faulty);
    }
    for (uint64_t seed = 1; seed <= seeds && faulty < 6; seed++) {
        guard(SECONDS);
        run += faults_of(seed, &faulty);
    }
    guard(0);
    CU_ASSERT_EQUAL(faulty, 0);
    CU_ASSERT(faulty || run >= seeds / 3);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "random profiles keep the rules on random workloads", test_profiles },
    };

    return suite_run("sim/random profiles", suite, N_ELEMENTS(suite));
}
