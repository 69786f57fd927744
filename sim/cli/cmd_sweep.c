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

struct sweep_options {
    const char *db, *engine, *task;
    struct cmd_texts slurm;
    uint64_t jobs, chunk;
    bool retry;
};

#define AT(field) offsetof(struct sweep_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_JOBS, AT(jobs), .max = STUDY_JOBS_MAX },
    { .id = OPT_DB, AT(db), "gsim.db" },
    { .id = OPT_ENGINE, AT(engine), "local" },
    { .id = OPT_CHUNK, AT(chunk), .max = GRID_POINTS_MAX },
    { .id = OPT_SLURM_OPTION, AT(slurm), .repeats = true },
    { .id = OPT_TASK, AT(task) },
    { .id = OPT_RETRY, AT(retry) },
};

static const struct sweep_options defaults = { .db = "gsim.db",
                                               .engine = "local" };

/* --- progress ------------------------------------------------------------- */

static void runs_show(void *ctx, const struct sweep *s)
{
    char failed[40] = "";

    if (s->failed)
        snprintf(failed, sizeof(failed), "%u failed", s->failed);
    progress_show(ctx, s->failed ? failed : NULL, s->done + s->failed,
                  s->about.points);
}

/* --- summary -------------------------------------------------------------- */

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

static int engine_run(struct sweep *s, const struct sweep_options *o,
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

static int sweep_all(const struct cmd_call *call, struct sweep *s,
                     struct gs_err *err)
{
    const struct sweep_options *o = call->options;
    struct progress line;
    uint32_t before;
    int rc;

    if (sweep_open(s, call->operand[0], !call->is_quiet && !o->task, err) < 0)
        return -1;
    if (o->task)
        return batch_task(s, o->task, o->jobs ? (uint32_t)o->jobs : 1, err);
    if (sweep_begin(s, o->db, o->retry, err) < 0)
        return -1;
    before = s->done;
    progress_begin(&line, "runs", call->is_quiet);
    progress_restart(&line, s->done + s->failed);
    s->progress = runs_show;
    s->progress_ctx = &line;
    rc = engine_run(s, o, err);
    progress_end(&line);
    return rc < 0 ? -1 : summary_show(s, call->is_quiet, before, err);
}

/* End the process by the signal that ended the sweep, if one did. */
static void signal_obey(const struct sweep *s)
{
    if (!s->signal)
        return;
    if (s->db)
        fprintf(stderr,
                "gsim: %u of %u runs are done; the same command makes the "
                "others\n",
                s->done, s->about.points);
    raise(s->signal);
}

static int sweep_cmd_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct sweep_options *o = call->options;
    struct sweep s;
    int status = sweep_all(call, &s, err);

    if (status < 0)
        status = cmd_fail(err);
    else if (s.failed
             && !o->task) /* the submitter of a task reports its failures */
        status = CMD_FAILED;
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
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = 1,
    .needs = "a sweep is needed",
    .help =
        "After a sweep was ended at any moment, the same command continues it "
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
