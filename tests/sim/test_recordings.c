/* tests/sim/test_recordings.c - replays of what a real slurmctld did
 * (tests/data/recordings/slurm): the mean wait and the order of starts.
 *
 * Slurm frees nodes up to a second after a job ended; here half a second, for
 * all recordings.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define DATA "tests/data/recordings/slurm/"
#define SECOND INT64_C(1000000)
#define RELEASE 0.5 /* s from the end of a job to that of its allocation */
#define JOBS 200u

static const char topology[] = "node_types: {t: {cpu: 64, gpus: 8}}\n"
                               "nodes: [{name: 'n[1-4]', type: t}]\n";

static const struct recording {
    const char *name, *actions, *modules;
} recordings[] = {
    { "builtin", "allocate", "passes" },
    { "backfill-fine", "allocate, backfill",
      "{passes: {interval: 1s}}, {backfill: {mode: windowed, interval: 1s, "
      "resolution: 1s, round: down, clock: 20s}}" },
};

struct starts {
    double submit[JOBS], recorded[JOBS], here[JOBS];
    uint32_t count;
};

/* The workload as a trace. */
static void workload_put(char *out, size_t size, struct starts *s)
{
    FILE *f = fopen(DATA "workload.csv", "r");
    unsigned job, submit, nodes, gpus, limit, duration;
    size_t len = (size_t)snprintf(out, size, "jobs:\n");

    CU_ASSERT_FATAL(f && fscanf(f, "%*[^\n]") == 0);
    while (fscanf(f, " %u,%u,%u,%u,%u,%u,%*s", &job, &submit, &nodes, &gpus,
                  &limit, &duration)
           == 6) {
        CU_ASSERT_EQUAL_FATAL(job, s->count + 1);
        s->submit[s->count++] = submit;
        len += (size_t)snprintf(
            out + len, size - len,
            "- {name: \"%u\", submit: %u, duration: %.1f, estimate: %us, "
            "replicas: %u, cpu: 1, gpus: %u, "
            "spread: {over: node, max_skew: 1}}\n",
            job, submit, duration + RELEASE, limit * 60, nodes, gpus);
        CU_ASSERT_FATAL(len < size && s->count < JOBS);
    }
    (void)fclose(f);
}

static void starts_read(const char *name, struct starts *s)
{
    char path[100];
    unsigned job, start;
    uint32_t n = 0;
    FILE *f;

    (void)snprintf(path, sizeof(path), DATA "%s.starts.csv", name);
    f = fopen(path, "r");
    CU_ASSERT_FATAL(f && fscanf(f, "%*[^\n]") == 0);
    while (fscanf(f, " %u,%*u,%u,%*u", &job, &start) == 2) {
        CU_ASSERT_FATAL(job == ++n && n <= s->count);
        s->recorded[job - 1] = start;
    }
    CU_ASSERT_EQUAL(n, s->count);
    (void)fclose(f);
}

static double tau(const double *a, const double *b, uint32_t n)
{
    double alike = 0, unlike = 0;

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const double order = (a[i] - a[k]) * (b[i] - b[k]);

            alike += order > 0;
            unlike += order < 0;
        }
    }
    return (alike - unlike) / (alike + unlike);
}

static double mean_wait(const struct starts *s, const double *start)
{
    double sum = 0;

    for (uint32_t i = 0; i < s->count; i++)
        sum += start[i] - s->submit[i];
    return sum / s->count;
}

static void recording_run(const struct recording *r)
{
    static struct starts s;
    static char trace[40000];
    const struct trace_options options = { 0 };
    char profile[600];
    double wait, here;
    struct world w;

    s.count = 0;
    workload_put(trace, sizeof(trace), &s);
    starts_read(r->name, &s);
    (void)snprintf(
        profile, sizeof(profile),
        "actions: [%s]\nunit: gang\nmodules: [priority, gang, "
        "constraints, {most-allocated: {resources: {cpu: 1}}}, %s]\n",
        r->actions, r->modules);
    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, topology, trace, &options), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, profile, NULL, NULL), 0);
    for (uint32_t i = 0; i < s.count; i++) {
        char name[20];

        (void)snprintf(name, sizeof(name), "%u", i + 1);
        s.here[i] = (double)world_job(&w, name)->start / (double)SECOND;
    }
    world_fini(&w);
    wait = mean_wait(&s, s.recorded);
    here = mean_wait(&s, s.here);
    printf("  %s: mean wait %.1f s, recorded %.1f s; tau %.3f\n", r->name, here,
           wait, tau(s.recorded, s.here, s.count));
    CU_ASSERT(fabs(here / wait - 1) < 0.03);
    CU_ASSERT(tau(s.recorded, s.here, s.count) >= 0.95);
}

static void all(void)
{
    for (size_t i = 0; i < N_ELEMENTS(recordings); i++)
        recording_run(&recordings[i]);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "mean wait and order of starts", all },
    };

    return suite_run("sim/recordings of Slurm", suite, N_ELEMENTS(suite));
}
