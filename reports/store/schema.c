/* reports/store/schema.c - the tables, version 6.
 *
 * Times are whole microseconds since the trace's start; GPUs are thousandths of
 * devices.  The views (share/sql/views.sql) give seconds and devices.
 * Rows of a run are clustered by its number, so that a run is appended in
 * one piece and read in one piece, without an index beside the table.
 */
#include "reports/store/schema.h"

#include <stddef.h>

#include "reports/store/job_columns.h"

#define COLUMN(name, type) " " #name " " type ","
#define LATER(name, type) { "jobs", #name, type },
#define JOB_COLUMNS REPORT_JOB_COLUMNS(COLUMN)

static const char runs_sql[] =
    "CREATE TABLE runs ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " status TEXT NOT NULL,"        /* done | until (cut by --until)
                                          | chance | livelock */
    " version TEXT NOT NULL,"       /* of gsim */
    " policy TEXT NOT NULL,"        /* as it was asked for */
    " profile TEXT NOT NULL,"       /* in full, as YAML */
    " topology TEXT NOT NULL,"      /* path as given */
    " topology_hash TEXT NOT NULL," /* FNV-1a 64 of the unpacked bytes */
    " trace TEXT NOT NULL,"
    " trace_hash TEXT NOT NULL,"
    " seed INTEGER NOT NULL,"
    " options TEXT NOT NULL,"  /* JSON */
    " gpus INTEGER NOT NULL,"  /* devices of the cluster */
    " end_us INTEGER NOT NULL" /* last event */
    ") STRICT;\n"

    "CREATE TABLE nodes ("
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " node INTEGER NOT NULL," /* number: racks are consecutive */
    " name TEXT NOT NULL,"
    " type TEXT NOT NULL,"
    " domain TEXT NOT NULL," /* path of racks and the like */
    " gpus INTEGER NOT NULL,"
    " model TEXT NOT NULL,"
    " PRIMARY KEY (run_id, node)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE jobs ("
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE," JOB_COLUMNS
    " PRIMARY KEY (run_id, job)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE placements ("
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " job INTEGER NOT NULL,"
    " seq INTEGER NOT NULL," /* within the job, in time */
    " task_group INTEGER NOT NULL,"
    " first_task INTEGER NOT NULL,"
    " tasks INTEGER NOT NULL,"
    " node INTEGER NOT NULL,"
    " devices INTEGER NOT NULL," /* bit i: device i of the node */
    " start_us INTEGER NOT NULL,"
    " end_us INTEGER," /* NULL: held when the run ended */
    " PRIMARY KEY (run_id, job, seq)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE waits (" /* all waiting; no rows of 0 */
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " job INTEGER NOT NULL,"
    " cause TEXT NOT NULL,"
    " us INTEGER NOT NULL,"
    " PRIMARY KEY (run_id, job, cause)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE evictions ("
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " seq INTEGER NOT NULL," /* in time */
    " at_us INTEGER NOT NULL,"
    " job INTEGER NOT NULL,"
    " by_job INTEGER,"           /* it made room for; NULL: for none */
    " kind TEXT NOT NULL,"       /* timeout | preempt | reclaim | lost */
    " tasks INTEGER NOT NULL,"   /* given back */
    " whole INTEGER NOT NULL,"   /* 0: only tasks above its gang */
    " lost_us INTEGER NOT NULL," /* run time to be repeated */
    " lost_gpu_us INTEGER NOT NULL,"
    " PRIMARY KEY (run_id, seq)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE events ("
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " seq INTEGER NOT NULL,"
    " at_us INTEGER NOT NULL,"
    " kind TEXT NOT NULL,"
    " job INTEGER NOT NULL,"
    " node INTEGER,"
    " tasks INTEGER NOT NULL,"
    " PRIMARY KEY (run_id, seq)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE samples (" /* averages from at_us on */
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " at_us INTEGER NOT NULL,"
    " gpus_allocated REAL NOT NULL,"
    " gpus_busy REAL NOT NULL,"
    " gpus_hoarded REAL NOT NULL,"
    " jobs_waiting REAL NOT NULL,"
    " jobs_running REAL NOT NULL,"
    " frag_node_share REAL NOT NULL,"
    " frag_free_share REAL NOT NULL,"
    " frag_capacity_share REAL NOT NULL,"
    " frag_demand REAL NOT NULL,"
    " frag_largest_gang REAL NOT NULL,"
    " PRIMARY KEY (run_id, at_us)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE metrics ("
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " name TEXT NOT NULL,"
    " scope TEXT NOT NULL," /* cluster | queue | size | type */
    " label TEXT NOT NULL,"
    " unit TEXT NOT NULL,"
    " value REAL NOT NULL,"
    " PRIMARY KEY (run_id, name, scope, label)"
    ") STRICT, WITHOUT ROWID;\n"

    "CREATE TABLE deadlocks ("
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " episode INTEGER NOT NULL,"
    " job INTEGER NOT NULL,"
    " start_us INTEGER NOT NULL,"
    " end_us INTEGER," /* NULL: lasted to the end */
    " PRIMARY KEY (run_id, episode, job)"
    ") STRICT, WITHOUT ROWID;\n";

static const char fills_sql[] =
    "CREATE TABLE fills (" /* allocation experiments */
    " id INTEGER PRIMARY KEY,"
    " version TEXT NOT NULL,"
    " list TEXT NOT NULL," /* the file's name without its endings */
    " list_path TEXT NOT NULL,"
    " list_hash TEXT NOT NULL,"
    " policy TEXT NOT NULL,"
    " profile TEXT NOT NULL,"
    " topology TEXT NOT NULL,"
    " topology_hash TEXT NOT NULL,"
    " seed INTEGER NOT NULL,"
    " load_milli INTEGER NOT NULL," /* thousandths of the cluster's GPUs */
    " tasks INTEGER NOT NULL,"      /* in the list */
    " gpu_milli INTEGER NOT NULL,"  /* of the nodes that have GPUs */
    " UNIQUE (list_hash, topology_hash, seed, load_milli, profile)"
    ") STRICT;\n"

    "CREATE TABLE fill_points ("
    " fill_id INTEGER NOT NULL REFERENCES fills(id) ON DELETE CASCADE,"
    " percent INTEGER NOT NULL," /* of the cluster's GPUs asked for so far */
    " allocated_milli INTEGER NOT NULL,"
    " fragmented_milli REAL NOT NULL," /* of those free */
    " PRIMARY KEY (fill_id, percent)"
    ") STRICT, WITHOUT ROWID;\n";

const char *const report_schema_sql[] = { runs_sql, fills_sql, NULL };

const struct report_table report_tables_later[] = {
    { "refusals",
      "(" /* of the waits for quota; no rows of 0 */
      " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
      " job INTEGER NOT NULL,"
      " module TEXT NOT NULL," /* that refused it */
      " us INTEGER NOT NULL,"
      " PRIMARY KEY (run_id, job, module)"
      ") STRICT, WITHOUT ROWID" },
    { "legs",
      "(" /* of runs, under a speed model */
      " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
      " seq INTEGER NOT NULL," /* in time of their ends */
      " job INTEGER NOT NULL,"
      " start_us INTEGER NOT NULL,"
      " us INTEGER NOT NULL,"
      " tasks INTEGER NOT NULL," /* that ran */
      " gpu_milli INTEGER NOT NULL,"
      " speed_ppm INTEGER NOT NULL," /* of that at which it was measured */
      " nodes_ppm INTEGER NOT NULL," /* of that: by the slowest node's type */
      " model_ppm INTEGER NOT NULL," /* of that: by what `source` names */
      " source TEXT NOT NULL,"       /* nodes | all-reduce | table */
      " tier TEXT NOT NULL,"         /* smallest that held it */
      " PRIMARY KEY (run_id, seq)"
      ") STRICT, WITHOUT ROWID" },
    { "outages",
      "(" /* of runs with a scenario: a node or GPU is in another state */
      " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
      " seq INTEGER NOT NULL," /* in time; all are open before */
      " at_us INTEGER NOT NULL,"
      " node INTEGER NOT NULL,"
      " device INTEGER,"          /* of a GPU by itself; NULL: the node */
      " state TEXT NOT NULL,"     /* open | drained | failed | absent */
      " scaled INTEGER NOT NULL," /* 1: by the autoscaler */
      " PRIMARY KEY (run_id, seq)"
      ") STRICT, WITHOUT ROWID" },
    { "sweeps", "("
                " id INTEGER PRIMARY KEY,"
                " name TEXT NOT NULL UNIQUE,"
                " version TEXT NOT NULL,"     /* of gsim */
                " points INTEGER NOT NULL,"   /* of the whole grid */
                " first_run INTEGER NOT NULL" /* point 0's; others follow */
                ") STRICT" },
    { "sweep_files",
      "(" /* the sweep's own is the first */
      " sweep_id INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,"
      " seq INTEGER NOT NULL,"
      " path TEXT NOT NULL,"
      " hash TEXT NOT NULL," /* FNV-1a 64 of the unpacked bytes */
      " PRIMARY KEY (sweep_id, seq)"
      ") STRICT, WITHOUT ROWID" },
    { "sweep_points",
      "("
      " sweep_id INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,"
      " point INTEGER NOT NULL,"
      " run TEXT NOT NULL,"   /* name of its run */
      " state TEXT NOT NULL," /* pending | done | failed */
      " error TEXT,"          /* why it failed */
      " PRIMARY KEY (sweep_id, point)"
      ") STRICT, WITHOUT ROWID" },
    { "sweep_values",
      "(" /* where each point is on each axis */
      " sweep_id INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,"
      " point INTEGER NOT NULL,"
      " axis TEXT NOT NULL,"
      " value TEXT NOT NULL,"
      " PRIMARY KEY (sweep_id, point, axis)"
      ") STRICT, WITHOUT ROWID" },
    { "sweep_jobs",
      "(" /* of a batch system, while it works */
      " sweep_id INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,"
      " submission INTEGER NOT NULL," /* from 1 */
      " job TEXT NOT NULL,"
      " PRIMARY KEY (sweep_id, submission)"
      ") STRICT, WITHOUT ROWID" },
    { NULL, NULL },
};

const struct report_column report_columns_later[] = {
    /* the window that its metrics are of */
    { "runs", "from_us", "INTEGER" },
    { "runs", "to_us", "INTEGER" },
    { "runs", "notes", "TEXT" },
    REPORT_JOB_COLUMNS_LATER(LATER)
    /* of each device, thousandths; NULL: no device, or an instance */
    { "placements", "share", "INTEGER" },
    { "placements", "slices", "INTEGER" }, /* bit i: memory slice i of it */
    { "deadlocks", "endless", "INTEGER" }, /* 1: nothing known to come could end
                                              it */
    { NULL, NULL, NULL },
};
