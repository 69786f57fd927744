/* sim/study/run.c - replays and stores a run, see run.h. */
#include "sim/study/run.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "reports/measure/log.h"
#include "reports/store/decisions.h"
#include "reports/store/store.h"
#include "reports/store/stream.h"
#include "sim/speed/speed.h"
#include "sim/study/inputs.h"
#include "sim/study/rejection.h"
#include "sim/study/source_options.h"
#include "traces/edit/estimates.h"
#include "traces/workload/workload.h"

int study_window_check(const struct report_window_request *w, int64_t until,
                       struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const int64_t from = w->from < 0 ? 0 : w->from;

    if (w->to != REPORT_WINDOW_OPEN && w->to > until)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--to' must not be after '--until'");
    if (w->warmup >= w->to || from >= w->to - w->warmup
        || (until != SIM_FOREVER && from > until))
        return gs_fail(err, GS_USAGE, nowhere,
                       "no time is left to measure: '--to' (or '--until') must "
                       "be after '--from' and '--warmup'");
    return 0;
}

/* Jobs stand in the order of their submission. */
static void until_tell(const struct trace_workload *w, int64_t until)
{
    char first[32], last[32];

    if (!w->job_count || w->job[0].submit <= until)
        return;
    fprintf(stderr,
            "gsim: note: no job is submitted up to --until %s: the first one "
            "is at %s\n",
            gs_instant_human(until, last, sizeof(last)),
            gs_instant_human(w->job[0].submit, first, sizeof(first)));
}

void study_window_tell(const struct inputs *in,
                       const struct report_window_request *window,
                       int64_t until)
{
    const struct trace_workload *w = in->work;
    const struct report_window of = report_window_of(w, window);
    char from[32], to[32] = "the end";

    until_tell(w, until);
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (report_window_has(&of, w->job[i].submit))
            return;
    }
    if (w->job_count == 0)
        return;
    if (of.to != REPORT_WINDOW_OPEN)
        gs_instant_human(of.to, to, sizeof(to));
    fprintf(stderr,
            "gsim: note: no job is submitted in the window of the metrics, "
            "from %s to %s (--from, --to, --warmup)\n",
            gs_instant_human(of.from, from, sizeof(from)), to);
}

struct study_results {
    struct report_log *log;
    struct report_metrics *metrics;
    struct report_stream *stream; /* NULL: rows are stored after the run */
};

static void hash_put(json_t *all, const char *name, uint64_t hash)
{
    char text[20];

    snprintf(text, sizeof(text), "%016" PRIx64, hash);
    json_object_set_new(all, name, json_string(text));
}

json_t *study_options_json(const struct inputs *in, const struct study_run *r,
                           const struct trace_options *t, json_t *set)
{
    const struct report_window_request *w = &r->window;
    const int64_t until = r->sim.until;
    json_t *all = json_pack("{s:I, s:I, s:I, s:I, s:o}", "until",
                            (json_int_t)(until == SIM_FOREVER ? -1 : until),
                            "limit", (json_int_t)t->limit, "task_size",
                            (json_int_t)t->task_size, "large",
                            (json_int_t)r->large, "set", set);

    if (t->timezone)
        json_object_set_new(all, "timezone", json_string(t->timezone));
    if (t->columns)
        json_object_set_new(all, "columns", json_string(t->columns));
    if (w->from >= 0)
        json_object_set_new(all, "from", json_integer(w->from));
    if (w->to != REPORT_WINDOW_OPEN)
        json_object_set_new(all, "to", json_integer(w->to));
    if (w->warmup)
        json_object_set_new(all, "warmup", json_integer(w->warmup));
    if (in->sources && in->objects)
        json_object_set_new(all, "sources", source_options_json(in));
    if (in->speed)
        json_object_set_new(all, "speed", json_string(in->speed_spec));
    if (in->speed_hash)
        hash_put(all, "speed_hash", in->speed_hash);
    if (in->scenario) {
        json_object_set_new(all, "world", json_string(in->scenario_path));
        hash_put(all, "world_hash", in->scenario_hash);
    }
    return all;
}

const char *study_json_keep(struct gs_arena *arena, json_t *json)
{
    char *text = json_dumps(json, JSON_SORT_KEYS);
    const char *kept = gs_arena_strndup(arena, text, strlen(text));

    free(text);
    json_decref(json);
    return kept;
}

static struct report_metrics *metrics_open(const struct inputs *in,
                                           const struct study_run *r)
{
    return r->mix_window
               ? report_metrics_create_window(in->topo, in->work, r->mix_window)
               : report_metrics_create(in->topo, in->work, r->mix);
}

/* Count the rejected jobs and log the reason of each. */
static void rejected_count(const struct inputs *in, struct report_log *log,
                           struct study_outcome *out)
{
    char why[200];
    uint32_t first = 0;

    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct report_job j = report_log_job(log, i);

        if (j.state != REPORT_REJECTED)
            continue;
        if (out->rejected++ == 0)
            first = i;
        report_log_reason(log, i,
                          study_rejection_text(in->topo, in->work, i, j.cause,
                                               why, sizeof(why)));
    }
    if (out->rejected == 0)
        return;
    out->first_rejected = gs_arena_printf(
        in->arena, "'%.250s': %s",
        gs_strtab_str(in->names, in->work->job[first].name),
        report_log_job(log, first).reason);
}

static void held_count(const struct inputs *in, const struct report_log *log,
                       struct study_outcome *out)
{
    for (uint32_t i = 0; i < log->job_count; i++) {
        if (report_log_job(log, i).held != INT64_MAX || out->held++ > 0)
            continue;
        out->first_held = gs_arena_printf(
            in->arena, "'%.250s': %s",
            gs_strtab_str(in->names, in->work->job[i].name),
            report_log_job(log, i).reason);
    }
}

static int rejected_check(const struct inputs *in, const struct study_run *r,
                          const struct study_outcome *out, struct gs_err *err)
{
    const struct gs_mark at = { .source = in->trace_path };

    if (!r->is_strict || out->rejected == 0)
        return 0;
    return gs_fail(err, GS_INPUT, at,
                   "%u jobs could never run, the first is %s", out->rejected,
                   out->first_rejected);
}

/* Stored in column `status`. */
static const char *const ended[] = {
    [SIM_ENDED_DONE] = "done",
    [SIM_ENDED_UNTIL] = "until",
    [SIM_ENDED_CHANCE] = "chance",
    [SIM_ENDED_LIVELOCK] = "livelock",
};

/* The run, as far as it is known before it is made. */
static struct report_run run_of(struct inputs *in, const struct study_run *r)
{
    return (struct report_run){
        .name = r->name,
        .version = GSIM_VERSION,
        .policy = r->policy,
        .profile = gsched_profile_text(r->profile, in->arena),
        .topology = in->topology_path,
        .trace = in->trace_path,
        .topology_hash = in->topology_hash,
        .trace_hash = in->trace_hash,
        .seed = r->sim.seed,
        .options = r->options,
        .notes = r->notes,
        .metrics_only = r->metrics_only,
        .replaces = r->replaces,
        .place = r->place,
        .point = r->point,
    };
}

int study_store(struct inputs *in, const struct study_run *r,
                const struct study_results *results,
                const struct study_outcome *out, struct report_store *to,
                struct gs_err *err)
{
    const struct report_log *log = results->log;
    const struct report_metrics *m = results->metrics;
    const struct report_window window = report_window_closed(
        report_metrics_window(m), log->end);
    struct report_run run = run_of(in, r);

    run.status = ended[out->stats.ended];
    run.window = &window;
    if (results->stream)
        return report_stream_write(results->stream, &run, out->row, out->rows,
                                   report_metrics_samples(m), err);
    return report_store_write(to, &run, in->topo, in->work, log, out->row,
                              out->rows, report_metrics_samples(m), err);
}

/* Rows of jobs and placements go to the database while the run goes on. */
static void stream_open(struct inputs *in, const struct study_run *r,
                        struct study_results *s)
{
    const struct report_run run = run_of(in, r);

    if (!r->stream_to || r->metrics_only)
        return;
    assert(!r->decisions); /* they are made of all placements */
    s->stream = report_stream_open(r->stream_to, &run, in->topo, in->work,
                                   s->log, r->clock);
}

static const struct report_decisions *decisions_keep(
    const struct inputs *in, const struct report_log *log,
    struct gs_arena *arena)
{
    struct report_decisions *d = gs_arena_alloc(arena, 1, sizeof(*d));

    report_decisions_take(log, in->topo, in->work, arena, d);
    return d;
}

/* The replay itself; what it leaves is in `s`. */
static int replay(struct inputs *in, const struct study_run *r,
                  const struct study_results *s, struct study_outcome *out,
                  struct gs_err *err)
{
    const struct report_observer *observer[3] = {
        &s->log->observer, report_metrics_observer(s->metrics),
        s->stream ? report_stream_observer(s->stream) : NULL
    };
    struct sim_options sim = r->sim;

    sim.source = in->trace_path;
    if (in->estimates)
        trace_estimates_draw(in->work, in->estimates, r->sim.seed);
    report_metrics_measure(s->metrics, &r->window);
    if (r->window.to != REPORT_WINDOW_OPEN)
        sim.through = r->window.to;
    if (r->sim.speed)
        report_metrics_speed_most(
            s->metrics, sim_speed_most(r->sim.speed, in->topo, in->work));
    if (sim_replay(in->topo, in->work, r->profile, &sim, observer,
                   s->stream ? 3 : 2, &out->stats, err)
        < 0)
        return -1;
    rejected_count(in, s->log, out);
    held_count(in, s->log, out);
    return rejected_check(in, r, out, err);
}

struct study_results *study_replay(struct inputs *in, const struct study_run *r,
                                   struct study_outcome *out,
                                   struct gs_err *err)
{
    struct study_results *s = gs_array_new(1, sizeof(*s));

    s->log = report_log_create(in->work, r->keeps_events);
    s->metrics = metrics_open(in, r);
    s->log->placements_leave = !r->decisions
                               && (r->stream_to || r->metrics_only);
    stream_open(in, r, s);
    *out = (struct study_outcome){ 0 };
    if (replay(in, r, s, out, err) < 0) {
        study_results_free(s);
        return NULL;
    }
    if (s->stream)
        report_stream_over(s->stream);
    out->row = report_metrics_rows(s->metrics, s->log, r->large, in->arena,
                                   &out->rows);
    if (r->decisions)
        out->decided = decisions_keep(in, s->log, r->decisions);
    return s;
}

void study_results_free(struct study_results *s)
{
    if (!s)
        return;
    report_stream_close(s->stream);
    report_log_destroy(s->log);
    report_metrics_destroy(s->metrics);
    gs_array_free(s);
}

int study_run(struct inputs *in, const struct study_run *r,
              struct report_store *to, struct study_outcome *out,
              struct gs_err *err)
{
    struct study_results *s = study_replay(in, r, out, err);
    int rc = s ? 0 : -1;

    if (rc == 0 && to)
        rc = study_store(in, r, s, out, to, err);
    study_results_free(s);
    return rc;
}
