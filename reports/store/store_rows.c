/* reports/store/store_rows.c - the other tables of a run, and the writing of
 * all its rows.
 */
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* --- runs ----------------------------------------------------------------- */

static void gpus_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_writing *w = r->self;

    sqlite3_result_int64(out, w->topo->gpu_count);
}

static void end_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_writing *w = r->self;

    sqlite3_result_int64(out, w->log->end);
}

/* A field of the window, if it is known. */
static void window_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_run *run = r->at;

    if (run->window)
        sqlite3_result_int64(
            out, store_field_number((const char *)run->window + r->column->at,
                                    r->column->size));
}

static const struct store_column runs[] = {
    { "id", "INTEGER PRIMARY KEY", "number of the run", .kind = STORE_OWNER },
    { "name", "TEXT NOT NULL UNIQUE", "of the run",
      STORE_FIELD(STORE_TEXT, struct report_run, name) },
    { "status", "TEXT NOT NULL",
      "done, until (cut by --until), chance or livelock (see v_runs)",
      STORE_FIELD(STORE_TEXT, struct report_run, status) },
    { "version", "TEXT NOT NULL", "of gsim",
      STORE_FIELD(STORE_TEXT, struct report_run, version) },
    { "policy", "TEXT NOT NULL", "as it was asked for",
      STORE_FIELD(STORE_TEXT, struct report_run, policy) },
    { "profile", "TEXT NOT NULL", "in full, as YAML",
      STORE_FIELD(STORE_TEXT, struct report_run, profile) },
    { "topology", "TEXT NOT NULL", "path as given",
      STORE_FIELD(STORE_TEXT, struct report_run, topology) },
    { "topology_hash", "TEXT NOT NULL", "FNV-1a 64 of the unpacked bytes",
      STORE_FIELD(STORE_HASH, struct report_run, topology_hash) },
    { "trace", "TEXT NOT NULL", "path as given",
      STORE_FIELD(STORE_TEXT, struct report_run, trace) },
    { "trace_hash", "TEXT NOT NULL", "FNV-1a 64 of the unpacked bytes",
      STORE_FIELD(STORE_HASH, struct report_run, trace_hash) },
    { "seed", "INTEGER NOT NULL", "of all that is drawn",
      STORE_FIELD(STORE_NUMBER, struct report_run, seed) },
    { "options", "TEXT NOT NULL", "of the command, as JSON",
      STORE_FIELD(STORE_TEXT, struct report_run, options) },
    { "gpus", "INTEGER NOT NULL", "devices of the cluster",
      STORE_BY(gpus_put) },
    { "end_us", "INTEGER NOT NULL", "last event", STORE_BY(end_put) },
    { "from_us", "INTEGER", "begin of the window that its metrics are of",
      STORE_BY(window_put), STORE_AT(struct report_window, from),
      .is_later = true },
    { "to_us", "INTEGER", "end of that window", STORE_BY(window_put),
      STORE_AT(struct report_window, to), .is_later = true },
    { "notes", "TEXT", "JSON list of texts; NULL: none were looked for",
      STORE_FIELD(STORE_TEXT, struct report_run, notes), .is_later = true },
};

const struct store_table store_table_runs = { "runs", STORE_COLUMNS(runs),
                                              ") STRICT", false };

/* --- nodes ---------------------------------------------------------------- */

static const struct topo *topo_of(const struct store_row *r)
{
    const struct report_writing *w = r->self;

    return w->topo;
}

static const struct topo_class *class_of(const struct store_row *r)
{
    const struct topo *t = topo_of(r);

    return &t->klass[t->node_class[r->number]];
}

static void node_name_put(const struct store_row *r, sqlite3_context *out)
{
    const struct topo *t = topo_of(r);

    store_text_put(out, gs_strtab_str(t->names, t->node_name[r->number]));
}

static void type_put(const struct store_row *r, sqlite3_context *out)
{
    const struct topo *t = topo_of(r);

    store_text_put(out, gs_strtab_str(t->names, class_of(r)->type));
}

/* "spine/rack" of a node. */
static void domain_put(const struct store_row *r, sqlite3_context *out)
{
    const struct topo *t = topo_of(r);
    char *path = gs_text_make("%s", "");

    for (uint32_t level = 1; level <= t->tier_count; level++) {
        const uint32_t d = topo_domain_of(t, (uint32_t)r->number, level);

        char *longer = gs_text_make("%s%s%s", path, level > 1 ? "/" : "",
                                    gs_strtab_str(t->names, t->domain[d].name));

        gs_array_free(path);
        path = longer;
    }
    sqlite3_result_text(out, path, -1, SQLITE_TRANSIENT);
    gs_array_free(path);
}

static void node_gpus_put(const struct store_row *r, sqlite3_context *out)
{
    sqlite3_result_int64(out, class_of(r)->gpus);
}

static void model_put(const struct store_row *r, sqlite3_context *out)
{
    const struct topo *t = topo_of(r);

    store_text_put(out, gs_strtab_str(t->names, class_of(r)->model));
}

static const struct store_column nodes[] = {
    STORE_RUN,
    { "node", "INTEGER NOT NULL", "its number: racks are consecutive",
      .kind = STORE_ROW },
    { "name", "TEXT NOT NULL", "of the node", STORE_BY(node_name_put) },
    { "type", "TEXT NOT NULL", "of the node", STORE_BY(type_put) },
    { "domain", "TEXT NOT NULL", "path of racks and the like that hold it",
      STORE_BY(domain_put) },
    { "gpus", "INTEGER NOT NULL", "devices", STORE_BY(node_gpus_put) },
    { "model", "TEXT NOT NULL", "of these", STORE_BY(model_put) },
};

const struct store_table store_table_nodes = { "nodes", STORE_COLUMNS(nodes),
                                               STORE_KEY("run_id, node"),
                                               false };

static const char *const node_state_names[REPORT_NODE_STATES] = {
    [REPORT_NODE_OPEN] = "open",
    [REPORT_NODE_DRAINED] = "drained",
    [REPORT_NODE_FAILED] = "failed",
    [REPORT_NODE_ABSENT] = "absent",
};

static const struct store_column outages[] = {
    STORE_RUN,
    { "seq", "INTEGER NOT NULL",
      "number of the change, in time; all are open before the first",
      .kind = STORE_ROW },
    { "at_us", "INTEGER NOT NULL", "when it came into this state",
      STORE_FIELD(STORE_NUMBER, struct report_outage, at) },
    { "node", "INTEGER NOT NULL", "number of the node",
      STORE_FIELD(STORE_NUMBER, struct report_outage, what.node) },
    { "device", "INTEGER",
      "number of the GPU that it happened to by itself; NULL: the node",
      STORE_FIELD(STORE_INDEX, struct report_outage, what.device) },
    { "state", "TEXT NOT NULL", "open, drained, failed or absent",
      STORE_NAME_OF(node_state_names, struct report_outage, what.state) },
    { "scaled", "INTEGER NOT NULL", "1: by the autoscaler",
      STORE_FIELD(STORE_NUMBER, struct report_outage, what.is_scaled) },
};

const struct store_table store_table_outages = {
    "outages", STORE_COLUMNS(outages), STORE_KEY("run_id, seq"), true
};

/* --- events and figures --------------------------------------------------- */

static const char *const event_names[REPORT_EVENTS] = {
    [REPORT_EVENT_SUBMIT] = "submit",     [REPORT_EVENT_PLACE] = "place",
    [REPORT_EVENT_START] = "start",       [REPORT_EVENT_RELEASE] = "release",
    [REPORT_EVENT_EVICT] = "evict",       [REPORT_EVENT_END] = "end",
    [REPORT_EVENT_CONFLICT] = "conflict",
};

static const struct store_column events[] = {
    STORE_RUN,
    { "seq", "INTEGER NOT NULL", "number of the event, in time",
      .kind = STORE_ROW },
    { "at_us", "INTEGER NOT NULL", "when",
      STORE_FIELD(STORE_NUMBER, struct report_event, at) },
    { "kind", "TEXT NOT NULL",
      "submit, place, start, release, evict, conflict or end",
      STORE_NAME_OF(event_names, struct report_event, kind) },
    { "job", "INTEGER NOT NULL", "number of the job",
      STORE_FIELD(STORE_NUMBER, struct report_event, job) },
    { "node", "INTEGER", "number of the node; NULL: of none",
      STORE_FIELD(STORE_INDEX, struct report_event, node) },
    { "tasks", "INTEGER NOT NULL", "it happened to",
      STORE_FIELD(STORE_NUMBER, struct report_event, tasks) },
};

const struct store_table store_table_events = { "events", STORE_COLUMNS(events),
                                                STORE_KEY("run_id, seq"),
                                                false };

static void at_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_samples *s = r->self;

    sqlite3_result_int64(out, s->from + r->number * s->span);
}

static void series_put(const struct store_row *r, sqlite3_context *out)
{
    sqlite3_result_double(
        out, report_samples_value(r->self, (uint32_t)r->number,
                                  (enum report_series)r->column->at));
}

#define SERIES(of) STORE_BY(series_put), .at = of

static const struct store_column samples[] = {
    STORE_RUN,
    { "at_us", "INTEGER NOT NULL",
      "begin of the span, which lasts until the next; values are its averages",
      STORE_BY(at_put) },
    { "gpus_allocated", "REAL NOT NULL", "held by any job",
      SERIES(REPORT_ALLOCATED) },
    { "gpus_busy", "REAL NOT NULL", "held by running jobs",
      SERIES(REPORT_BUSY) },
    { "gpus_hoarded", "REAL NOT NULL", "held by partly placed jobs",
      SERIES(REPORT_HOARDED) },
    { "jobs_waiting", "REAL NOT NULL", "that did not run",
      SERIES(REPORT_WAITING) },
    { "jobs_running", "REAL NOT NULL", "that ran",
      SERIES(REPORT_RUNNING_JOBS) },
    { "frag_node_share", "REAL NOT NULL",
      "share of nodes with GPUs, neither empty nor full",
      SERIES(REPORT_NODE_SHARE) },
    { "frag_free_share", "REAL NOT NULL", "share of free GPUs, on such nodes",
      SERIES(REPORT_FREE_SHARE) },
    { "frag_capacity_share", "REAL NOT NULL",
      "share of all GPUs, free on such nodes", SERIES(REPORT_CAPACITY_SHARE) },
    { "frag_demand", "REAL NOT NULL",
      "share of free GPUs, of no use to the mean task of the mix",
      SERIES(REPORT_DEMAND) },
    { "frag_largest_gang", "REAL NOT NULL",
      "share of free GPUs, that tasks of whole nodes (8 GPUs) could be given",
      SERIES(REPORT_LARGEST_GANG) },
};

const struct store_table store_table_samples = {
    "samples", STORE_COLUMNS(samples), STORE_KEY("run_id, at_us"), false
};

static void unit_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_metric *m = r->at;

    store_text_put(out, report_unit_name(m->unit));
}

static void gpu_us_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_metric *m = r->at;

    if (m->has_gpu_us)
        sqlite3_result_int64(out, m->gpu_us);
}

static const struct store_column metrics[] = {
    STORE_RUN,
    { "name", "TEXT NOT NULL", "of the metric, see gsim report --metric",
      STORE_FIELD(STORE_TEXT, struct report_metric, name) },
    { "scope", "TEXT NOT NULL", "cluster, queue, size, type, scheduler or qos",
      STORE_FIELD(STORE_TEXT, struct report_metric, scope) },
    { "label", "TEXT NOT NULL",
      "the queue, the class of GPUs a job asks for, or the type of node",
      STORE_FIELD(STORE_TEXT, struct report_metric, label) },
    { "unit", "TEXT NOT NULL", "of the value", STORE_BY(unit_put) },
    { "value", "REAL NOT NULL", "of the metric",
      STORE_FIELD(STORE_REAL, struct report_metric, value) },
    { "gpu_us", "INTEGER",
      "gpu_time.*: the value in GPU microseconds; these add up to the GPUs of"
      " the cluster times the window.  NULL: another metric, or more than"
      " 2^63",
      STORE_BY(gpu_us_put), .is_later = true },
};

const struct store_table store_table_metrics = {
    "metrics", STORE_COLUMNS(metrics), STORE_KEY("run_id, name, scope, label"),
    false
};

/* --- all rows ------------------------------------------------------------- */

int store_array_write(const struct report_writing *w,
                      const struct store_table *table, uint32_t count,
                      const void *row, size_t size)
{
    return store_rows_insert(
        w->db, &(struct store_rows){ table, w->run, count, row, size, w });
}

/* The rows of jobs and tasks: the bulk of a run. */
static int details_write(const struct report_writing *w)
{
    const struct report_log *l = w->log;

    if (store_array_write(w, &store_table_nodes, w->topo->node_count, NULL, 0)
            < 0
        || (w->kinds ? store_kinds_write(w->kinds) : store_jobs_write(w)) < 0
        || store_waits_write(w) < 0
        || store_array_write(w, &store_table_refusals, l->refused_count,
                             l->refused, sizeof(*l->refused))
               < 0
        || store_array_write(w, &store_table_evictions, l->eviction_count,
                             l->eviction, sizeof(*l->eviction))
               < 0
        || store_array_write(w, &store_table_outages, l->outage_count,
                             l->outage, sizeof(*l->outage))
               < 0
        || store_array_write(w, &store_table_legs, l->segment_count, l->segment,
                             sizeof(*l->segment))
               < 0
        || (!w->kinds && store_placements_write(w) < 0)
        || store_array_write(w, &store_table_events, l->event_count, l->event,
                             sizeof(*l->event))
               < 0)
        return -1;
    return store_deadlocks_write(w);
}

int store_run_write(const struct report_writing *w,
                    const struct report_run *run,
                    const struct report_metric *metric, uint32_t count,
                    const struct report_samples *series)
{
    if (store_array_write(w, &store_table_runs, 1, run, sizeof(*run)) < 0
        || (!run->metrics_only && details_write(w) < 0)
        || store_rows_insert(w->db, &(struct store_rows){ &store_table_samples,
                                                          w->run, series->count,
                                                          NULL, 0, series })
               < 0)
        return -1;
    return store_array_write(w, &store_table_metrics, count, metric,
                             sizeof(*metric));
}
