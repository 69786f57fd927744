/* tests/sim/test_vectors_backfill.c - what Slurm's tests and rules expect of
 * its backfill (tests/data/vectors/slurm.yaml), replayed.
 */
#include <stdlib.h>

#include "import/account.h"
#include "import/slurm/slurm_import.h"
#include "policies/reservation/window.h"
#include "tests/lib/pods.h"
#include "tests/lib/vectors.h"
#include "tests/lib/world.h"

#define SECOND INT64_C(1000000)
#define NODES \
    "node_types: {t: {cpu: 4}}\nnodes: [{name: 'n[%ld-%ld]', type: t}]\n"
#define PROFILE                                                \
    "actions: [allocate, backfill]\nunit: gang\n"              \
    "modules: [priority, gang, constraints, passes, limits,\n" \
    "  {most-allocated: {resources: {cpu: 1}}},\n"             \
    "  {backfill: {mode: windowed, interval: 1s, resolution: %lds}}]\n"

static long number(const struct gs_ynode *n)
{
    return n ? strtol(n->text, NULL, 10) : 0;
}

static long number_of(const struct gs_ynode *map, const char *key)
{
    return number(gs_ynode_find(map, key));
}

/* --- a world -------------------------------------------------------------- */

/* `more`: other keys, each with ", " behind it. */
static void job_put_with(struct pods_text *out, const char *name, long submit,
                         long priority, long nodes, long seconds,
                         const char *more)
{
    pods_put(out,
             "- {name: \"%s\", submit: %ld, priority: %ld, replicas: %ld, "
             "cpu: 4, duration: %ld, estimate: %lds, %s"
             "spread: {over: node, max_skew: 1}}\n",
             name, submit, priority, nodes, seconds, seconds, more);
}

static void job_put(struct pods_text *out, const char *name, long submit,
                    long priority, long nodes, long seconds)
{
    job_put_with(out, name, submit, priority, nodes, seconds, "");
}

/* Replay the jobs on so many nodes; false: told. */
static bool run(const struct vector *v, struct world *w, const char *jobs,
                long nodes, long resolution)
{
    const struct trace_options o = { 0 };
    char topology[400], profile[400];

    (void)snprintf(topology, sizeof(topology), NODES, 1L, nodes);
    (void)snprintf(profile, sizeof(profile), PROFILE, resolution);
    world_init(w);
    if (world_load(w, topology, jobs, &o) == 0
        && world_run(w, profile, NULL, NULL) == 0)
        return true;
    vector_fails(v, w->err.problem[0].text, jobs);
    return false;
}

static long start_of(const struct world *w, const char *name)
{
    return (long)(world_job(w, name)->start / SECOND);
}

/* --- slots on the grid ---------------------------------------------------- */

static void slot_run(const struct vector *v)
{
    const struct gsched_window w = {
        .resolution = number_of(v->in, "bf_resolution") * SECOND
    };
    const struct gs_ynode *want = gs_ynode_find(v->expected, "reserved")->child;
    const long length = number_of(v->in, "limit_min") * 60
                        + number_of(v->in, "boot_s");
    int64_t begin, end;

    gsched_window_slot(&w, number_of(v->in, "start") * SECOND, length * SECOND,
                       false, &begin, &end);
    if (begin != number(want) * SECOND || end != number(want->next) * SECOND)
        vector_fails(v, "another slot than", want->text);
}

/* --- jobs that start now -------------------------------------------------- */

/* The jobs that run, from 0 on: before all others. */
static void running_put(const struct vector *v, struct pods_text *out)
{
    const struct gs_ynode *list = gs_ynode_find(v->in, "running");

    for (const struct gs_ynode *n = list ? list->child : NULL; n; n = n->next)
        job_put(out, gs_ynode_find(n, "job")->text, 0, 1000,
                (long)gs_ynode_find(n, "nodes")->len, number_of(n, "end"));
}

static void overlap_check(const struct vector *v, const struct world *w,
                          long now)
{
    for (const struct gs_ynode *e = v->expected->child; e; e = e->next) {
        char name[40];
        const char *what = strchr(e->key->text, '_');
        long start;

        (void)snprintf(name, sizeof(name), "%.*s",
                       (int)(what ? what - e->key->text : 30), e->key->text);
        start = start_of(w, name);
        if (what && strcmp(what, "_reserved") == 0) {
            if (start != number(e->child))
                vector_fails(v, "another start of", name);
        } else if (what && strcmp(what, "_starts_now") == 0) {
            if ((start == now) != (strcmp(e->text, "true") == 0))
                vector_fails(v, "it starts now, or does not", name);
        } else if (!what || strcmp(what, "_nodes") != 0) {
            vector_fails(v, "unknown expectation", e->key->text);
        }
    }
}

/* The head plans to start when a job ends that holds one of its two nodes. */
static void head_run(const struct vector *v)
{
    const long now = number_of(v->in, "now");
    const long resolution = number_of(v->in, "bf_resolution");
    const long planned = number_of(v->in, "head_job_planned_start");
    const struct gsched_window grid = { .resolution = resolution * SECOND };
    const struct gs_ynode *want =
        gs_ynode_find(v->expected, "starts_now")->child;
    int64_t begin, end;

    gsched_window_slot(&grid, planned * SECOND, SECOND, false, &begin, &end);
    if (begin / SECOND != number_of(v->expected, "reservation_begin"))
        vector_fails(v, "another begin", "");
    for (const struct gs_ynode *n = vector_in(v, "candidate_limit_min")->child;
         n; n = n->next, want = want->next) {
        struct pods_text jobs = { .len = 0 };
        struct world w;

        pods_put(&jobs, "jobs:\n");
        job_put(&jobs, "R", 0, 3, 1, planned);
        job_put(&jobs, "head", now, 2, 2, 600);
        job_put(&jobs, "C", now, 1, 1, number(n) * 60);
        if (run(v, &w, jobs.at, 2, resolution)
            && (start_of(&w, "C") == now) != (strcmp(want->text, "true") == 0))
            vector_fails(v, "a candidate starts, or does not", n->text);
        world_fini(&w);
    }
}

static void overlap_run(const struct vector *v)
{
    const long now = number_of(v->in, "now");
    const struct gs_ynode *queue = gs_ynode_find(v->in, "queue_by_priority");
    struct pods_text jobs = { .len = 0 };
    long priority = 900;
    struct world w;

    if (!queue) {
        head_run(v);
        return;
    }
    pods_put(&jobs, "jobs:\n");
    running_put(v, &jobs);
    for (const struct gs_ynode *n = queue->child; n; n = n->next)
        job_put(&jobs, gs_ynode_find(n, "id")->text, now, priority--,
                number_of(n, "nodes"), number_of(n, "limit_min") * 60);
    if (run(v, &w, jobs.at, number_of(v->in, "nodes"),
            number_of(v->in, "bf_resolution")))
        overlap_check(v, &w, now);
    world_fini(&w);
}

/* --- Slurm's own cases: 32 nodes, jobs of whole nodes --------------------- */

static void running_check(const struct vector *v, const struct world *w,
                          const char *key, bool runs)
{
    const struct gs_ynode *list = gs_ynode_find(v->expected, key);

    for (const struct gs_ynode *n = list ? list->child : NULL; n; n = n->next) {
        if ((start_of(w, n->text) == 0) != runs)
            vector_fails(v, "it runs, or does not:", n->text);
    }
}

/* A job of higher priority and no more nodes does not start later. */
static void order_check(const struct vector *v, const struct world *w)
{
    const struct gs_ynode *jobs = vector_in(v, "jobs")->child;

    for (const struct gs_ynode *a = jobs; a; a = a->next) {
        for (const struct gs_ynode *b = jobs; b; b = b->next) {
            if (number_of(a, "priority") > number_of(b, "priority")
                && number_of(a, "nodes") <= number_of(b, "nodes")
                && start_of(w, gs_ynode_find(a, "id")->text)
                       > start_of(w, gs_ynode_find(b, "id")->text))
                vector_fails(v, "it starts later",
                             gs_ynode_find(a, "id")->text);
        }
    }
}

/* The licences of Slurm's fixture, and what the job takes of them. */
#define LICENCES "pools: {lic1: 1, lic2: 6}\n"

static const char *licence_of(const struct gs_ynode *job, char *out,
                              size_t size)
{
    const char *text = gs_ynode_find(job, "licence")->text;
    const size_t name = strcspn(text, ":");

    out[0] = '\0';
    if (strcmp(text, "null") != 0)
        (void)snprintf(out, size, "pools: {%.*s: %.9s}, ", (int)name, text,
                       text[name] ? text + name + 1 : "1");
    return out;
}

static void fixture_run(const struct vector *v)
{
    struct pods_text jobs = { .len = 0 };
    struct world w;
    char licence[80];

    pods_put(&jobs, LICENCES "jobs:\n");
    for (const struct gs_ynode *n = vector_in(v, "jobs")->child; n; n = n->next)
        job_put_with(&jobs, gs_ynode_find(n, "id")->text, 0,
                     number_of(n, "priority"), number_of(n, "nodes"),
                     number_of(n, "limit_min") * 60,
                     licence_of(n, licence, sizeof(licence)));
    if (run(v, &w, jobs.at, 32, 60)) {
        running_check(v, &w, "running", true);
        running_check(v, &w, "not_running", false);
        if (gs_ynode_find(v->expected, "property"))
            order_check(v, &w);
    }
    world_fini(&w);
}

/* --- time limits, as the importer makes estimates of them ----------------- */

static const char *said(const struct gs_ynode *n, const char *none,
                        const char *endless)
{
    return !n || strcmp(n->text, "null") == 0 ? none
           : strcmp(n->text, "inf") == 0      ? endless
                                              : n->text;
}

/* The estimate, in minutes, of the job of that limit in that partition. */
static long estimate_of(const char *limit, const char *most)
{
    char text[600];
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct gs_strtab *names = gs_strtab_create();
    struct import_account *account = import_account_create();
    struct gs_err err = { 0 };
    struct slurm_file file[2] = { { .path = "slurm.conf" },
                                  { .path = "sacct" } };
    const char *const sacct =
        "JobID|Partition|Submit|Start|End|Elapsed|Timelimit|State|NNodes|"
        "NCPUS\n1|p|2026-01-01T00:00:00|2026-01-01T00:00:00|"
        "2026-01-01T00:01:00|00:01:00|%s|COMPLETED|1|1\n";
    struct trace_workload *w;
    struct slurm_import *x;
    struct topo_dims dims;
    long minutes = -1;
    int64_t epoch;

    topo_dims_init(&dims, names);
    x = slurm_import_create(names, &dims, account);
    w = trace_workload_create(arena, names, &dims);
    (void)snprintf(text, 300,
                   "ClusterName=c\nNodeName=n1 CPUs=4\n"
                   "PartitionName=p Nodes=ALL Default=YES MaxTime=%s\n",
                   most);
    (void)snprintf(text + 300, 300, sacct, limit);
    for (int i = 0; i < 2; i++)
        file[i].in = gs_input_open_memory(file[i].path, text + 300 * i,
                                          strlen(text + 300 * i));
    if (slurm_import_read(x, file, 2, &err) == 0
        && slurm_import_finish(x, &err) == 0
        && slurm_import_trace(x, w, &epoch, &err) == 0 && w->job_count == 1)
        minutes = (long)(w->job[0].estimate / (60 * SECOND));
    for (int i = 0; i < 2; i++)
        gs_input_close(file[i].in);
    trace_workload_destroy(w);
    slurm_import_destroy(x);
    import_account_destroy(account);
    gs_strtab_destroy(names);
    gs_arena_destroy(arena);
    return minutes;
}

static void limit_run(const struct vector *v)
{
    char limit[40];
    const char *job = said(gs_ynode_find(v->in, "job_limit_min"), "", "");
    const char *most = said(gs_ynode_find(v->in, "partition_max_min"),
                            "INFINITE", "INFINITE");

    if (number_of(v->in, "time_min") || gs_ynode_find(v->in, "qos_no_reserve")
        || *said(gs_ynode_find(v->in, "deadline_left_min"), "", "x")) {
        vector_not_run(v, "--time-min and --deadline are not modelled");
        return;
    }
    (void)snprintf(limit, sizeof(limit), *job ? "%.20s:00" : "UNLIMITED%s",
                   job);
    if (estimate_of(limit, most) != number_of(v->expected, "test_limit_min"))
        vector_fails(v, "another limit than",
                     gs_ynode_find(v->expected, "test_limit_min")->text);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "slurm-bf-slot-", slot_run },
        { "slurm-bf-overlap-", overlap_run },
        { "slurm-bf-limit-", limit_run },
        { "slurm-backfill", fixture_run },
    };
    static const struct vector_listed listed[] = {
        { "slurm-bf-limit-6", "deadlines of jobs are not modelled" },
    };

    return vectors_main(&(struct vector_suite){
        "sim/vectors of Slurm's backfill", "tests/data/vectors/slurm.yaml",
        groups, N_ELEMENTS(groups), listed, N_ELEMENTS(listed) });
}
