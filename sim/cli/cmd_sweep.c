/* sim/cli/cmd_sweep.c - gsim sweep: a grid of runs. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/progress.h"
#include "sim/study/batch.h"
#include "sim/study/pool.h"
#include "sim/study/sweep.h"

#define FAILURES_SHOWN 10

struct options {
    const char *db, *engine, *task;
    struct cmd_texts slurm;
    uint64_t jobs, chunk;
    bool retry, quiet;
};

#define AT(field) offsetof(struct options, field)

static const struct cmd_take take[] = {
    { .id = OPT_JOBS, AT(jobs) },
    { .id = OPT_DB, AT(db), "gsim.db" },
    { .id = OPT_ENGINE, AT(engine), "local" },
    { .id = OPT_CHUNK, AT(chunk) },
    { .id = OPT_SLURM_OPTION, AT(slurm), .repeats = true },
    { .id = OPT_TASK, AT(task) },
    { .id = OPT_RETRY, AT(retry) },
    { .id = OPT_QUIET, AT(quiet) },
};

/* --- how far it is -------------------------------------------------------- */

static void runs_show(void *ctx, const struct sweep *s)
{
    char failed[40] = "";

    if (s->failed)
        snprintf(failed, sizeof(failed), "%u failed", s->failed);
    progress_show(ctx, s->failed ? failed : NULL, s->done + s->failed,
                  s->about.points);
}

/* --- what came of it ------------------------------------------------------ */

static int summary_show(struct sweep *s, bool quiet, uint32_t before,
                        struct gs_err *err)
{
    struct report_sweep_failure failure[FAILURES_SHOWN];
    struct report_store *from = report_store_open_readonly(s->db, err);
    uint32_t count = 0;
    int rc;

    if (!from)
        return -1;
    rc = report_store_sweep_failures(from, &s->place, s->arena, failure,
                                     FAILURES_SHOWN, &count, err);
    report_store_close(from);
    if (rc < 0)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        fprintf(stderr, "gsim: %s failed: %s\n", failure[i].run,
                failure[i].why);
    if (s->failed > count)
        fprintf(stderr, "gsim: ... and %u more\n", s->failed - count);
    if (quiet)
        return 0;
    printf("%s: %u runs, %u done", s->file.name, s->about.points, s->done);
    if (before)
        printf(" (%u before)", before);
    if (s->failed)
        printf(", %u failed: see sweep_points in the database, and --retry",
               s->failed);
    printf("\n");
    return 0;
}

/* --- the command ---------------------------------------------------------- */

static int engine_run(struct sweep *s, const struct options *o,
                      struct gs_err *err)
{
    const struct batch_options b = { .jobs = (uint32_t)o->jobs,
                                     .chunk = (uint32_t)o->chunk,
                                     .option = o->slurm.text,
                                     .option_count = o->slurm.count };

    if (strcmp(o->engine, "slurm") == 0)
        return batch_run(s, &b, err);
    if (batch_check_none(s, err) < 0)
        return -1;
    return sweep_run(s, o->jobs ? (uint32_t)o->jobs : study_pool_cores(), err);
}

static int sweep_all(struct sweep *s, const struct options *o, const char *path,
                     struct gs_err *err)
{
    struct progress line;
    uint32_t before;
    int rc;

    if (sweep_open(s, path, !o->quiet && !o->task, err) < 0)
        return -1;
    if (o->task)
        return batch_task(s, o->task, o->jobs ? (uint32_t)o->jobs : 1, err);
    if (sweep_begin(s, o->db, o->retry, err) < 0)
        return -1;
    before = s->done;
    progress_begin(&line, "runs", o->quiet);
    progress_restart(&line, s->done + s->failed);
    s->progress = runs_show;
    s->progress_ctx = &line;
    rc = engine_run(s, o, err);
    progress_end(&line);
    return rc < 0 ? -1 : summary_show(s, o->quiet, before, err);
}

/* Leave as the signal would have made us. */
static void signal_obey(const struct sweep *s)
{
    if (!s->signal)
        return;
    if (s->db)
        fprintf(stderr,
                "gsim: %u of %u runs are done; the same command does the "
                "others\n",
                s->done, s->about.points);
    raise(s->signal);
}

static enum cmd_status sweep_cmd_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { .db = "gsim.db", .engine = "local" };
    struct gs_err err = { 0 };
    struct sweep s;
    const char *path[1];
    size_t count;
    int done, rc;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, path, 1, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0)
        return cmd_usage(c, "a sweep is needed");
    if (o.jobs > STUDY_JOBS_MAX)
        return cmd_usage(c, "'--jobs' must be at most %u", STUDY_JOBS_MAX);
    if (o.chunk > GRID_POINTS_MAX)
        return cmd_usage(c, "'--chunk' must be at most %u", GRID_POINTS_MAX);
    rc = sweep_all(&s, &o, path[0], &err);
    /* the process that submitted a task tells what failed */
    status = rc < 0                ? cmd_fail(&err)
             : s.failed && !o.task ? CMD_FAILED
                                   : CMD_OK;
    signal_obey(&s);
    sweep_close(&s);
    return status;
}

const struct cmd cmd_sweep = {
    .name = "sweep",
    .args = "SWEEP.yaml [--jobs N] [--engine local,slurm] [OPTION]...",
    .summary = "make the runs of a grid of traces, topologies, policies, "
               "changes and seeds",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .help =
        "The same command goes on with a sweep that was ended at any moment, "
        "and repeats\nnothing.  A run that fails is reported and does not stop "
        "the others; the exit\nstatus is 4 then.\n\n"
        "A sweep:\n"
        "  traces: [monday.csv, tuesday.csv]\n"
        "  topologies: cluster.yaml\n"
        "  policies: [binpack, spread, kube-default]\n"
        "  seeds: 1..10\n"
        "  set:\n"
        "    load: [0.8, 1.0, 1.2]\n"
        "    patience: {none: [], ten: [gang.timeout=10m]}\n\n"
        "Examples:\n"
        "  gsim sweep examples/sweep.yaml\n"
        "  gsim sweep examples/sweep.yaml --jobs 8 --db packing.db\n"
        "  gsim sweep examples/sweep.yaml --engine slurm --db packing.db \\\n"
        "      --slurm-option --partition=batch --slurm-option --time=1:00:00\n",
    .run = sweep_cmd_run,
};
