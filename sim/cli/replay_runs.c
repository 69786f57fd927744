/* sim/cli/replay_runs.c - see replay_runs.h.
 *
 * One run at a time is made in this process, several each in one of its own
 * (sim/study/turns.h).  Both ways go through run_make(), run_store() and
 * run_over().
 */
#include "sim/cli/replay_runs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "reports/store/store.h"
#include "sim/cli/progress.h"
#include "sim/cli/recorded_print.h"
#include "sim/study/inputs.h"
#include "sim/study/run.h"
#include "sim/study/turns.h"
#include "traces/workload/workload.h"

#define JOB_TEXT 512 /* a job and a reason, each bounded by study/run.c */

/* What is told of a run. */
struct told {
    struct sim_stats stats;
    uint32_t rejected, held;
    char first_rejected[JOB_TEXT], first_held[JOB_TEXT];
};

struct making {
    struct replay_runs *r;
    struct progress line;
    struct study_turns turns; /* of several at once */
    uint32_t over;            /* runs that were told */
    /* the run of this process */
    uint32_t i;
    struct study_results *results;
    struct study_outcome out;
};

/* --- progress ------------------------------------------------------------- */

static void run_step(void *ctx, int64_t now, uint32_t submitted, uint32_t over)
{
    struct making *m = ctx;
    char at[32], label[160];

    (void)submitted; /* the number of jobs that are over is more useful */
    if (m->turns.turn) {
        study_turns_step(&m->turns, m->i, over);
        return;
    }
    snprintf(label, sizeof(label), "%.100s at %s", m->r->run[m->i].name,
             gs_duration_human(now, at, sizeof(at)));
    progress_show(&m->line, label, over, m->r->in->work->job_count);
}

static void runs_tick(void *ctx, uint64_t steps)
{
    struct making *m = ctx;
    char label[64];

    snprintf(label, sizeof(label), "%u of %u runs", m->over, m->r->count);
    progress_show(&m->line, label, steps,
                  (uint64_t)m->r->in->work->job_count * m->r->count);
}

/* --- one run -------------------------------------------------------------- */

static int run_make(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    struct making *m = ctx;
    struct study_run *run = &m->r->run[i];
    struct told *told = answer;

    m->i = i;
    run->sim.progress = run_step;
    run->sim.progress_ctx = m;
    run->stream_to =
        m->r->store; /* NULL: of runs at once, each is stored in its
                                     turn */
    run->clock = progress_processor_us;
    run->sim.clock = m->r->tells_stats ? progress_clock_us : NULL;
    m->results = study_replay(m->r->in, run, &m->out, err);
    if (!m->results)
        return -1;
    *told = (struct told){ .stats = m->out.stats,
                           .rejected = m->out.rejected,
                           .held = m->out.held };
    if (m->out.first_rejected)
        snprintf(told->first_rejected, sizeof(told->first_rejected), "%s",
                 m->out.first_rejected);
    if (m->out.first_held)
        snprintf(told->first_held, sizeof(told->first_held), "%s",
                 m->out.first_held);
    return 0;
}

static int run_store(void *ctx, uint32_t i, struct gs_err *err)
{
    struct making *m = ctx;
    struct replay_runs *r = m->r;
    struct report_store *to = r->store ? r->store
                                       : report_store_open(r->db, err);
    int rc = -1;

    if (to)
        rc = study_store(r->in, &r->run[i], m->results, &m->out, to, err);
    if (to != r->store)
        report_store_close(to);
    study_results_free(m->results);
    return rc;
}

static void stats_show(const char *name, const struct sim_stats *s)
{
    fprintf(stderr,
            "%s: cycles %" PRIu64 " decisions %" PRIu64 " tasks %" PRIu64
            " in %.6f s\n",
            name, s->cycles, s->decisions, s->tasks, (double)s->cycle_us / 1e6);
}

static void run_over(void *ctx, uint32_t i, const void *answer)
{
    struct making *m = ctx;
    const struct replay_runs *r = m->r;
    const struct told *told = answer;
    const char *name = r->run[i].name;

    m->over++;
    progress_end(&m->line);
    if (told->rejected && !r->is_quiet)
        fprintf(stderr, "gsim: %s: %u jobs rejected, the first is %s\n", name,
                told->rejected, told->first_rejected);
    if (told->held && !r->is_quiet)
        fprintf(stderr,
                "gsim: %s: %u jobs still held when the run ended, the first is "
                "%s\n",
                name, told->held, told->first_held);
    if (told->stats.ended == SIM_ENDED_LIVELOCK)
        fprintf(stderr,
                "gsim: %s: livelock: jobs started again and again without "
                "progress, so the run was ended\n",
                name);
    if (!r->is_quiet)
        recorded_print(name, &told->stats.recorded);
    if (r->tells_stats)
        stats_show(name, &told->stats);
}

/* --- all of them ---------------------------------------------------------- */

static int one_after_another(struct making *m, struct gs_err *err)
{
    struct told told;

    for (uint32_t i = 0; i < m->r->count; i++) {
        progress_begin(&m->line, "jobs", m->r->is_quiet);
        if (run_make(m, i, &told, err) < 0 || run_store(m, i, err) < 0)
            return -1;
        run_over(m, i, &told);
    }
    return 0;
}

static int several_at_once(struct making *m, struct gs_err *err)
{
    int rc;

    m->turns = (struct study_turns){ .jobs = m->r->jobs,
                                     .count = m->r->count,
                                     .answer = sizeof(struct told),
                                     .make = run_make,
                                     .store = run_store,
                                     .over = run_over,
                                     .tick = runs_tick,
                                     .ctx = m };
    progress_begin(&m->line, "jobs", m->r->is_quiet);
    rc = study_turns_run(&m->turns, err);
    m->r->signal = m->turns.signal;
    return rc;
}

int replay_runs_make(struct replay_runs *r, struct gs_err *err)
{
    struct making m = { .r = r };
    const int rc = r->jobs > 1 ? several_at_once(&m, err)
                               : one_after_another(&m, err);

    progress_end(&m.line);
    return rc;
}
