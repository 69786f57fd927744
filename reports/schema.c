/* reports/schema.c - the schema, version 3.
 *
 * Times are whole microseconds since the trace's start; the views give
 * seconds.  GPUs are thousandths of devices in tables, devices in views.
 * Rows of a run are clustered by its number, so that a run is appended in
 * one piece and read in one piece, without an index beside the table.
 */
#include "reports/schema.h"

const char report_schema_sql[] =
    "CREATE TABLE runs ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " status TEXT NOT NULL,"        /* done | until (cut by --until) */
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
    " run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,"
    " job INTEGER NOT NULL," /* by submit time, from 0 */
    " name TEXT NOT NULL,"
    " queue TEXT NOT NULL,"
    " user TEXT NOT NULL,"
    " priority TEXT NOT NULL,"
    " tasks INTEGER NOT NULL,"
    " gang INTEGER NOT NULL,"
    " gpu_milli INTEGER NOT NULL," /* of all tasks */
    " submit_us INTEGER NOT NULL,"
    " start_us INTEGER," /* first start; NULL: never */
    " end_us INTEGER,"
    " state TEXT NOT NULL,"
    " cause TEXT NOT NULL," /* why it last was left waiting */
    " evictions INTEGER NOT NULL,"
    " tier TEXT,"                    /* smallest that held it at start */
    " preemptions INTEGER NOT NULL," /* of the evictions: while it ran */
    " reason TEXT,"                  /* why it failed or was rejected */
    " lost_gpu_us INTEGER NOT NULL," /* work to be repeated */
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

    "CREATE TABLE waits (" /* until the first start; no rows of 0 */
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
    ") STRICT, WITHOUT ROWID;\n"

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

const char report_views_sql[] =
    "CREATE VIEW v_runs AS SELECT r.name AS run, r.status, r.policy, r.seed,"
    " r.gpus, r.end_us / 1e6 AS \"end\","
    " max(m.value) FILTER (WHERE m.name = 'jobs.done') AS jobs_done,"
    " max(m.value) FILTER (WHERE m.name = 'jobs.unfinished') AS unfinished,"
    " max(m.value) FILTER (WHERE m.name = 'wait.mean') AS wait_mean,"
    " max(m.value) FILTER (WHERE m.name = 'wait.p95') AS wait_p95,"
    " max(m.value) FILTER (WHERE m.name = 'gpu.busy') AS gpu_busy,"
    " max(m.value) FILTER (WHERE m.name = 'makespan') AS makespan"
    " FROM runs r LEFT JOIN metrics m"
    " ON m.run_id = r.id AND m.scope = 'cluster' GROUP BY r.id;\n"

    "CREATE VIEW v_jobs AS SELECT r.name AS run, j.job, j.name, j.queue,"
    " j.user, j.priority, j.tasks, j.gpu_milli / 1000.0 AS gpus,"
    " j.submit_us / 1e6 AS submit, j.start_us / 1e6 AS start,"
    " j.end_us / 1e6 AS \"end\","
    " (j.start_us - j.submit_us) / 1e6 AS wait,"
    " (j.end_us - j.start_us) / 1e6 AS run_time,"
    " j.state, j.cause, j.evictions, j.tier, j.preemptions, j.reason,"
    " j.lost_gpu_us / 3.6e9 AS lost_gpu_hours"
    " FROM jobs j JOIN runs r ON r.id = j.run_id;\n"

    "CREATE VIEW v_waits AS SELECT r.name AS run, j.name AS job, j.queue,"
    " w.cause, w.us / 1e6 AS wait"
    " FROM waits w JOIN runs r ON r.id = w.run_id"
    " JOIN jobs j ON j.run_id = w.run_id AND j.job = w.job;\n"

    "CREATE VIEW v_evictions AS SELECT r.name AS run, e.at_us / 1e6 AS at,"
    " j.name AS job, j.queue, b.name AS \"by\", b.queue AS by_queue, e.kind,"
    " e.tasks, e.whole, e.lost_us / 1e6 AS lost,"
    " e.lost_gpu_us / 3.6e9 AS lost_gpu_hours"
    " FROM evictions e JOIN runs r ON r.id = e.run_id"
    " JOIN jobs j ON j.run_id = e.run_id AND j.job = e.job"
    " LEFT JOIN jobs b ON b.run_id = e.run_id AND b.job = e.by_job;\n"

    "CREATE VIEW v_placements AS SELECT r.name AS run, j.name AS job,"
    " p.task_group, p.first_task, p.tasks, n.name AS node, n.domain,"
    " p.devices, p.start_us / 1e6 AS start, p.end_us / 1e6 AS \"end\""
    " FROM placements p JOIN runs r ON r.id = p.run_id"
    " JOIN jobs j ON j.run_id = p.run_id AND j.job = p.job"
    " JOIN nodes n ON n.run_id = p.run_id AND n.node = p.node;\n"

    "CREATE VIEW v_metrics AS SELECT r.name AS run, m.name, m.scope,"
    " m.label, m.unit, m.value"
    " FROM metrics m JOIN runs r ON r.id = m.run_id;\n"

    "CREATE VIEW v_samples AS SELECT r.name AS run, s.at_us / 1e6 AS at,"
    " s.gpus_allocated, s.gpus_busy, s.gpus_hoarded, s.jobs_waiting,"
    " s.jobs_running, s.frag_node_share, s.frag_free_share,"
    " s.frag_capacity_share, s.frag_demand, s.frag_largest_gang"
    " FROM samples s JOIN runs r ON r.id = s.run_id;\n"

    "CREATE VIEW v_deadlocks AS SELECT r.name AS run, d.episode,"
    " d.start_us / 1e6 AS start, d.end_us / 1e6 AS \"end\", j.name AS job,"
    " j.gpu_milli / 1000.0 AS gpus"
    " FROM deadlocks d JOIN runs r ON r.id = d.run_id"
    " JOIN jobs j ON j.run_id = d.run_id AND j.job = d.job;\n"

    "CREATE VIEW v_fills AS SELECT f.list, f.policy, f.seed,"
    " f.load_milli / 1e3 AS load, p.percent,"
    " p.allocated_milli * 1.0 / f.gpu_milli AS allocated,"
    " coalesce(p.fragmented_milli / nullif(f.gpu_milli - p.allocated_milli, 0),"
    " 0.0) AS fragmented"
    " FROM fills f JOIN fill_points p ON p.fill_id = f.id;\n";
