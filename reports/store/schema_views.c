/* reports/store/schema_views.c - what the views of a database select.
 *
 * Times are seconds, GPUs are devices, names stand for numbers.  Each column
 * has its line in schema_columns.c.
 */
#include "reports/store/schema.h"

#include <stddef.h>

const struct report_view report_views[] = {
    { "v_runs",
      "SELECT r.name AS run, r.status, r.policy, r.seed,"
      " r.gpus, r.end_us / 1e6 AS \"end\","
      " r.from_us / 1e6 AS measured_from, r.to_us / 1e6 AS measured_to,"
      " max(m.value) FILTER (WHERE m.name = 'jobs.done') AS jobs_done,"
      " max(m.value) FILTER (WHERE m.name = 'jobs.unfinished') AS unfinished,"
      " max(m.value) FILTER (WHERE m.name = 'wait.mean') AS wait_mean,"
      " max(m.value) FILTER (WHERE m.name = 'wait.p95') AS wait_p95,"
      " max(m.value) FILTER (WHERE m.name = 'gpu.busy') AS gpu_busy,"
      " max(m.value) FILTER (WHERE m.name = 'makespan') AS makespan"
      " FROM runs r LEFT JOIN metrics m"
      " ON m.run_id = r.id AND m.scope = 'cluster' GROUP BY r.id" },

    { "v_jobs",
      "SELECT r.name AS run, j.job, j.name, j.queue,"
      " j.user, j.priority, j.tasks, j.gpu_milli / 1000.0 AS gpus,"
      " j.submit_us / 1e6 AS submit, j.start_us / 1e6 AS start,"
      " j.end_us / 1e6 AS \"end\","
      " (coalesce(j.end_us, r.end_us) - j.submit_us - coalesce(j.ran_us,"
      " coalesce(j.end_us, r.end_us) - j.start_us)) / 1e6 AS wait,"
      " (j.start_us - j.submit_us) / 1e6 AS wait_first,"
      " coalesce(j.work_us, j.end_us - j.start_us) / 1e6 AS run_time,"
      " iif(j.submit_us > r.end_us, 'unsubmitted', j.state) AS state,"
      " j.cause, j.evictions, j.tier, j.preemptions, j.reason,"
      " j.lost_gpu_us / 3.6e9 AS lost_gpu_hours, j.completions"
      " FROM jobs j JOIN runs r ON r.id = j.run_id" },

    { "v_waits", "SELECT r.name AS run, j.name AS job, j.queue,"
                 " w.cause, w.us / 1e6 AS wait"
                 " FROM waits w JOIN runs r ON r.id = w.run_id"
                 " JOIN jobs j ON j.run_id = w.run_id AND j.job = w.job" },

    { "v_refusals", "SELECT r.name AS run, j.name AS job, j.queue,"
                    " w.module, w.us / 1e6 AS wait"
                    " FROM refusals w JOIN runs r ON r.id = w.run_id"
                    " JOIN jobs j ON j.run_id = w.run_id AND j.job = w.job" },

    { "v_legs",
      "SELECT r.name AS run, j.name AS job,"
      " l.start_us / 1e6 AS start, l.us / 1e6 AS run_time, l.tasks,"
      " l.gpu_milli / 1000.0 AS gpus, l.tier, l.speed_ppm / 1e6 AS speed,"
      " l.nodes_ppm / 1e6 AS by_nodes, l.model_ppm / 1e6 AS by_model, l.source"
      " FROM legs l JOIN runs r ON r.id = l.run_id"
      " JOIN jobs j ON j.run_id = l.run_id AND j.job = l.job" },

    { "v_outages",
      "SELECT r.name AS run, o.at_us / 1e6 AS at, lead(o.at_us) OVER"
      " (PARTITION BY o.run_id, o.node, o.device ORDER BY o.seq) / 1e6"
      " AS \"end\", n.name AS node, n.type, n.domain, o.device, o.state,"
      " iif(o.device IS NULL, n.gpus, 1) AS gpus, o.scaled"
      " FROM outages o JOIN runs r ON r.id = o.run_id"
      " JOIN nodes n ON n.run_id = o.run_id AND n.node = o.node" },

    { "v_evictions",
      "SELECT r.name AS run, e.at_us / 1e6 AS at,"
      " j.name AS job, j.queue, b.name AS \"by\", b.queue AS by_queue, e.kind,"
      " e.tasks, e.whole, e.lost_us / 1e6 AS lost,"
      " e.lost_gpu_us / 3.6e9 AS lost_gpu_hours"
      " FROM evictions e JOIN runs r ON r.id = e.run_id"
      " JOIN jobs j ON j.run_id = e.run_id AND j.job = e.job"
      " LEFT JOIN jobs b ON b.run_id = e.run_id AND b.job = e.by_job" },

    { "v_placements",
      "SELECT r.name AS run, j.name AS job,"
      " p.task_group, p.first_task, p.tasks, n.name AS node, n.domain,"
      " p.devices, p.start_us / 1e6 AS start, p.end_us / 1e6 AS \"end\","
      " p.share / 1000.0 AS share, p.slices"
      " FROM placements p JOIN runs r ON r.id = p.run_id"
      " JOIN jobs j ON j.run_id = p.run_id AND j.job = p.job"
      " JOIN nodes n ON n.run_id = p.run_id AND n.node = p.node" },

    { "v_metrics", "SELECT r.name AS run, m.name, m.scope,"
                   " m.label, m.unit, m.value"
                   " FROM metrics m JOIN runs r ON r.id = m.run_id" },

    { "v_samples",
      "SELECT r.name AS run, s.at_us / 1e6 AS at,"
      " s.gpus_allocated, s.gpus_busy, s.gpus_hoarded, s.jobs_waiting,"
      " s.jobs_running, s.frag_node_share, s.frag_free_share,"
      " s.frag_capacity_share, s.frag_demand, s.frag_largest_gang"
      " FROM samples s JOIN runs r ON r.id = s.run_id" },

    { "v_deadlocks", "SELECT r.name AS run, d.episode,"
                     " d.start_us / 1e6 AS start, d.end_us / 1e6 AS \"end\","
                     " coalesce(d.endless,"
                     "  d.end_us IS NULL AND r.status = 'done') AS endless,"
                     " j.name AS job,"
                     " j.gpu_milli / 1000.0 AS gpus"
                     " FROM deadlocks d JOIN runs r ON r.id = d.run_id"
                     " JOIN jobs j ON j.run_id = d.run_id AND j.job = d.job" },

    { "v_fills",
      "SELECT f.list, f.policy, f.seed,"
      " f.load_milli / 1e3 AS load, p.percent,"
      " p.allocated_milli * 1.0 / f.gpu_milli AS allocated,"
      " coalesce(p.fragmented_milli / nullif(f.gpu_milli - p.allocated_milli, 0),"
      " 0.0) AS fragmented"
      " FROM fills f JOIN fill_points p ON p.fill_id = f.id" },

    { "v_nodes", "SELECT r.name AS run, n.name AS node, n.type, n.domain,"
                 " n.gpus, n.model"
                 " FROM nodes n JOIN runs r ON r.id = n.run_id" },

    { "v_events", "SELECT r.name AS run, e.at_us / 1e6 AS at, e.kind,"
                  " j.name AS job, n.name AS node, e.tasks"
                  " FROM events e JOIN runs r ON r.id = e.run_id"
                  " JOIN jobs j ON j.run_id = e.run_id AND j.job = e.job"
                  " LEFT JOIN nodes n"
                  " ON n.run_id = e.run_id AND n.node = e.node" },

    { "v_queues",
      "SELECT r.name AS run, q.queue, q.jobs, q.done, q.unstarted,"
      " max(m.value) FILTER (WHERE m.name = 'wait.mean') AS wait_mean,"
      " max(m.value) FILTER (WHERE m.name = 'wait.p95') AS wait_p95,"
      " max(m.value) FILTER (WHERE m.name = 'wait.max') AS wait_max,"
      " max(m.value) FILTER (WHERE m.name = 'queue.share') AS share,"
      " max(m.value) FILTER (WHERE m.name = 'queue.deserved') AS deserved"
      " FROM (SELECT run_id, queue, count(*) AS jobs,"
      "  count(*) FILTER (WHERE j.state = 'done') AS done,"
      "  count(*) FILTER (WHERE j.start_us IS NULL) AS unstarted"
      "  FROM jobs j JOIN runs w ON w.id = j.run_id"
      "  WHERE j.submit_us <= w.end_us"
      "  AND j.submit_us >= coalesce(w.from_us, j.submit_us)"
      "  AND (j.submit_us < w.to_us OR coalesce(w.to_us, w.end_us) >= w.end_us)"
      "  GROUP BY run_id, queue) q"
      " JOIN runs r ON r.id = q.run_id LEFT JOIN metrics m"
      " ON m.run_id = q.run_id AND m.scope = 'queue' AND m.label = q.queue"
      " GROUP BY q.run_id, q.queue" },

    { "v_changes",
      "SELECT b.name AS base, r.name AS run, m.name AS metric, m.scope,"
      " m.label, m.unit, o.value AS base_value, m.value,"
      " m.value - o.value AS change,"
      " CASE m.unit WHEN 'share' THEN NULL ELSE"
      "  (m.value - o.value) / nullif(abs(o.value), 0) * 100 END AS percent,"
      " CASE m.unit WHEN 'share' THEN (m.value - o.value) * 100 END AS points"
      " FROM runs r JOIN runs b ON b.id <> r.id"
      " JOIN metrics m ON m.run_id = r.id"
      " JOIN metrics o ON o.run_id = b.id AND o.name = m.name"
      " AND o.scope = m.scope AND o.label = m.label" },

    /* a sample lasts until the next one, the last until the run ended; those
     * of long runs span hours, and are cut where an hour begins
     */
    { "v_hours",
      "WITH RECURSIVE bucket AS (SELECT s.run_id,"
      "  s.at_us AS sample_us, s.at_us - coalesce(r.from_us, 0) AS at_us,"
      "  coalesce(lead(s.at_us) OVER"
      "   (PARTITION BY s.run_id ORDER BY s.at_us), r.to_us, r.end_us)"
      "  - coalesce(r.from_us, 0) AS end_us"
      "  FROM samples s JOIN runs r ON r.id = s.run_id),"
      " part AS (SELECT run_id, sample_us, end_us, at_us AS from_us,"
      "  min(end_us, (at_us / 3600000000 + 1) * 3600000000) AS to_us"
      "  FROM bucket WHERE end_us > at_us"
      "  UNION ALL SELECT run_id, sample_us, end_us, to_us,"
      "  min(end_us, to_us + 3600000000) FROM part WHERE to_us < end_us),"
      " hours AS (SELECT p.run_id, from_us / 3600000000 AS hour,"
      "  sum(to_us - from_us) / 3.6e9 AS hours,"
      "  sum(gpus_allocated * (to_us - from_us)) / 3.6e9 AS allocated,"
      "  sum(gpus_busy * (to_us - from_us)) / 3.6e9 AS busy,"
      "  sum(gpus_hoarded * (to_us - from_us)) / 3.6e9 AS hoarded,"
      "  sum(jobs_waiting * (to_us - from_us)) / 3.6e9 AS waiting,"
      "  sum(jobs_running * (to_us - from_us)) / 3.6e9 AS running,"
      "  sum(frag_node_share * (to_us - from_us)) / 3.6e9 AS node,"
      "  sum(frag_free_share * (to_us - from_us)) / 3.6e9 AS free,"
      "  sum(frag_capacity_share * (to_us - from_us)) / 3.6e9 AS capacity"
      "  FROM part p JOIN samples s ON s.run_id = p.run_id"
      "  AND s.at_us = p.sample_us GROUP BY 1, 2)"
      " SELECT r.name AS run, h.hour, h.allocated AS allocated_gpu_hours,"
      " h.busy AS busy_gpu_hours, h.hoarded AS hoarded_gpu_hours,"
      " h.allocated / h.hours / nullif(r.gpus, 0) AS allocated_share,"
      " h.busy / h.hours / nullif(r.gpus, 0) AS busy_share,"
      " h.waiting / h.hours AS jobs_waiting,"
      " h.running / h.hours AS jobs_running,"
      " h.node / h.hours AS frag_node_share,"
      " h.free / h.hours AS frag_free_share,"
      " h.capacity / h.hours AS frag_capacity_share"
      " FROM hours h JOIN runs r ON r.id = h.run_id" },

    { "v_sweeps",
      "SELECT s.name AS sweep, p.run, p.state, v.axis, v.value"
      " FROM sweeps s JOIN sweep_points p ON p.sweep_id = s.id"
      " JOIN sweep_values v ON v.sweep_id = s.id AND v.point = p.point" },

    { NULL, NULL },
};
