-- share/sql/views.sql - the views of a database: times in seconds, GPUs in
-- devices, names instead of numbers.
--
-- Each column of a view ends a line, and its comment says what it means, with
-- the unit of a number in brackets: these are the rows of v_columns, where the
-- views stand in the order of their numbers.  A database keeps this text
-- without comments and with its blanks.

CREATE VIEW v_runs AS -- 1
SELECT r.name AS run, -- name of the run
 r.status, -- done; until: cut short by --until; chance: ended while jobs waited that only failures, repairs or arrivals of nodes yet to be drawn might have helped; livelock: ended while jobs began anew again and again, without progress
 r.policy, -- as it was asked for
 r.seed, -- [number] of all that is drawn
 r.gpus, -- [GPUs] of the cluster
 r.end_us / 1e6 AS "end", -- [s] when the run ended
 r.from_us / 1e6 AS measured_from, -- [s] begin of the window that its metrics are of; NULL: by an older version, which took 0
 r.to_us / 1e6 AS measured_to, -- [s] end of that window
 max(m.value) FILTER (WHERE m.name = 'jobs.done') AS jobs_done, -- [jobs] that ended well
 max(m.value) FILTER (WHERE m.name = 'jobs.unfinished') AS unfinished, -- [jobs] that had not ended when the run did, running services aside
 max(m.value) FILTER (WHERE m.name = 'wait.mean') AS wait_mean, -- [s] that jobs waited, before the first start and after each eviction, of jobs that started, on average
 max(m.value) FILTER (WHERE m.name = 'wait.p95') AS wait_p95, -- [s] the same, of which 95 in 100 jobs waited no longer
 max(m.value) FILTER (WHERE m.name = 'gpu.busy') AS gpu_busy, -- [share] of GPU time, held by running jobs
 max(m.value) FILTER (WHERE m.name = 'makespan') AS makespan -- [s] from the first submit to the last end
 FROM runs r LEFT JOIN metrics m
 ON m.run_id = r.id AND m.scope = 'cluster' GROUP BY r.id;

CREATE VIEW v_jobs AS -- 2
SELECT r.name AS run, -- name of the run
 j.job, -- [number] of the job, by submit time, from 0
 j.name, -- of the job
 j.queue, -- it was submitted to
 j.user, -- the user that submitted it
 j.priority, -- its priority class
 j.tasks, -- [tasks] it has
 j.gpu_milli / 1000.0 AS gpus, -- [GPUs] all its tasks ask for
 j.submit_us / 1e6 AS submit, -- [s] when it was submitted
 j.start_us / 1e6 AS start, -- [s] when it first started; NULL: never
 j.end_us / 1e6 AS "end", -- [s] when it ended; NULL: it had not when the run did
 (coalesce(j.end_us, r.end_us) - iif(j.eligible_us > j.submit_us, j.eligible_us, j.submit_us) - coalesce(j.ran_us,
 coalesce(j.end_us, r.end_us) - j.start_us)) / 1e6 AS wait, -- [s] that it waited: from submit, or when its dependencies were met, to first start, and after each eviction until it ran again; NULL: it never started
 (j.start_us - iif(j.eligible_us > j.submit_us, j.eligible_us, j.submit_us)) / 1e6 AS wait_first, -- [s] of that: to first start
 coalesce(j.work_us, j.end_us - j.start_us) / 1e6 AS run_time, -- [s] in which it ran, less what it had to repeat; NULL: it never started
 iif(j.submit_us > r.end_us, 'unsubmitted', iif(j.eligible_us < 0, 'held', j.state)) AS state, -- when the run ended: done, running, pending ...; unsubmitted: it was to be submitted later; held: its dependencies were not met
 j.cause, -- that it waited for longest; of a job that waited when the run ended, the one it waited for then; why it was rejected; empty: it never waited
 j.evictions, -- [times] it gave back all that it held
 j.tier, -- smallest tier that held it when it first started
 j.preemptions, -- [times] of the evictions: while it ran
 j.reason, -- why it failed, was rejected or is held
 j.lost_gpu_us / 3.6e9 AS lost_gpu_hours, -- [GPU h] work that evictions made it repeat
 j.completions, -- [tasks] that must end, each by itself, at most `tasks` at a time; NULL: its tasks end together
 iif(j.eligible_us < 0, NULL, j.eligible_us) / 1e6 AS eligible, -- [s] when its dependencies were met; NULL: it has none, or they were not
 j.scheduler, -- that served it; NULL: there is only one
 j.since_us / 1e6 AS since -- [s] at most 0: since when tasks of it ran that stood at time 0; NULL: none did
 FROM jobs j JOIN runs r ON r.id = j.run_id;

CREATE VIEW v_waits AS -- 3
SELECT r.name AS run, -- name of the run
 j.name AS job, -- name of the job
 j.queue, -- of the job
 w.cause, -- quota, capacity, fragmentation, topology, constraint, hoarding, order or latency
 w.us / 1e6 AS wait -- [s] for this cause, before the first start and after each eviction
 FROM waits w JOIN runs r ON r.id = w.run_id
 JOIN jobs j ON j.run_id = w.run_id AND j.job = w.job;

CREATE VIEW v_refusals AS -- 4
SELECT r.name AS run, -- name of the run
 j.name AS job, -- name of the job
 j.queue, -- of the job
 w.module, -- of the profile, that refused the job for its queue or the load
 w.us / 1e6 AS wait -- [s] for that: the parts of its wait for cause quota
 FROM refusals w JOIN runs r ON r.id = w.run_id
 JOIN jobs j ON j.run_id = w.run_id AND j.job = w.job;

CREATE VIEW v_legs AS -- 5
SELECT r.name AS run, -- name of the run
 j.name AS job, -- name of the job
 l.start_us / 1e6 AS start, -- [s] when it began to run at this speed
 l.us / 1e6 AS run_time, -- [s] for which it did
 l.tasks, -- [tasks] that ran
 l.gpu_milli / 1000.0 AS gpus, -- [GPUs] they held
 l.tier, -- smallest that held them
 l.speed_ppm / 1e6 AS speed, -- [ratio] of the speed at which the duration was measured
 l.nodes_ppm / 1e6 AS by_nodes, -- [ratio] of that: by the slowest node's type
 l.model_ppm / 1e6 AS by_model, -- [ratio] of that: by what source names
 l.source -- what the speed model went by: nodes, all-reduce or table
 FROM legs l JOIN runs r ON r.id = l.run_id
 JOIN jobs j ON j.run_id = l.run_id AND j.job = l.job;

CREATE VIEW v_outages AS -- 6
SELECT r.name AS run, -- name of the run
 o.at_us / 1e6 AS at, -- [s] when the node or GPU came into this state; before its first all are open
 lead(o.at_us) OVER (PARTITION BY o.run_id, o.node, o.device ORDER BY
 o.seq) / 1e6 AS "end", -- [s] when it came into another; NULL: it had not when the run ended
 n.name AS node, -- name of the node
 n.type, -- of the node
 n.domain, -- racks and the like that hold it
 o.device, -- [number] of the GPU that failed or was mended by itself; NULL: it is the node
 o.state, -- open, drained (takes no new tasks), failed or absent
 iif(o.device IS NULL, n.gpus, 1) AS gpus, -- [GPUs] it is, or the node has
 o.scaled -- [0 or 1] 1: by the autoscaler
 FROM outages o JOIN runs r ON r.id = o.run_id
 JOIN nodes n ON n.run_id = o.run_id AND n.node = o.node;

CREATE VIEW v_evictions AS -- 7
SELECT r.name AS run, -- name of the run
 e.at_us / 1e6 AS at, -- [s] when
 j.name AS job, -- name of the job that gave back
 j.queue, -- of that job
 (SELECT b.name FROM jobs b WHERE b.run_id = e.run_id
 AND b.job = e.by_job) AS "by", -- name of the job it made room for; NULL: for none
 (SELECT b.queue FROM jobs b WHERE b.run_id = e.run_id
 AND b.job = e.by_job) AS by_queue, -- of that one
 e.kind, -- timeout, preempt, reclaim, lost or shuffle
 e.tasks, -- [tasks] given back
 e.whole, -- [0 or 1] 0: only tasks above its gang
 e.lost_us / 1e6 AS lost, -- [s] run time to be repeated
 e.lost_gpu_us / 3.6e9 AS lost_gpu_hours -- [GPU h] the same of all its GPUs
 FROM evictions e JOIN runs r ON r.id = e.run_id
 JOIN jobs j ON j.run_id = e.run_id AND j.job = e.job;

CREATE VIEW v_placements AS -- 8
SELECT r.name AS run, -- name of the run
 j.name AS job, -- name of the job
 p.task_group, -- [number] of its groups of tasks, from 0
 p.first_task, -- [number] of the first of consecutive tasks
 p.tasks, -- [tasks] that stand there
 n.name AS node, -- name of the node
 n.domain, -- racks and the like that hold the node
 p.devices, -- [bits] bit i: they hold GPU i of the node, or part of it
 p.start_us / 1e6 AS start, -- [s] held from
 p.end_us / 1e6 AS "end", -- [s] held to; NULL: when the run ended, too
 p.share / 1000.0 AS share, -- [GPUs] they hold of each of these GPUs; NULL: no GPU, or a MIG instance
 p.slices -- [bits] bit i: their MIG instance holds memory slice i of the GPU; NULL: no instance
 FROM placements p JOIN runs r ON r.id = p.run_id
 JOIN jobs j ON j.run_id = p.run_id AND j.job = p.job
 JOIN nodes n ON n.run_id = p.run_id AND n.node = p.node;

CREATE VIEW v_metrics AS -- 11
SELECT r.name AS run, -- name of the run
 m.name, -- of the metric, as in gsim compare
 m.scope, -- what it is of: cluster, queue, size or type
 m.label, -- the queue, or the class of GPUs a job asks for
 m.unit, -- of the value
 m.value, -- [unit] of the metric
 m.gpu_us -- [GPU us] of gpu_time.*: the value, in whole numbers that add up to the GPUs of the cluster times the window; NULL: another metric
 FROM metrics m JOIN runs r ON r.id = m.run_id;

CREATE VIEW v_samples AS -- 14
SELECT r.name AS run, -- name of the run
 s.at_us / 1e6 AS at, -- [s] begin of the span, which lasts until the next; values are its averages
 s.gpus_allocated, -- [GPUs] held by any job
 s.gpus_busy, -- [GPUs] held by running jobs
 s.gpus_hoarded, -- [GPUs] held by partly placed jobs
 s.jobs_waiting, -- [jobs] that had been submitted and did not run
 s.jobs_running, -- [jobs] that ran
 s.frag_node_share, -- [share] of nodes with GPUs, neither empty nor full
 s.frag_free_share, -- [share] of free GPUs, on such nodes
 s.frag_capacity_share, -- [share] of all GPUs, free on such nodes
 s.frag_demand, -- [share] of free GPUs, of no use to the mean task of the mix
 s.frag_largest_gang -- [share] of free GPUs, that tasks of whole nodes (8 GPUs) could be given
 FROM samples s JOIN runs r ON r.id = s.run_id;

CREATE VIEW v_deadlocks AS -- 16
SELECT r.name AS run, -- name of the run
 d.episode, -- [number] of the deadlock, from 0
 d.start_us / 1e6 AS start, -- [s] when it began
 d.end_us / 1e6 AS "end", -- [s] when it was over; NULL: never
 coalesce(d.endless,  d.end_us IS NULL AND r.status = 'done') AS endless, -- [0 or 1] 1: nothing known to come could end it; 0 without an end: the run was cut before
 j.name AS job, -- name of a job that could not complete
 j.gpu_milli / 1000.0 AS gpus -- [GPUs] that job asks for
 FROM deadlocks d JOIN runs r ON r.id = d.run_id
 JOIN jobs j ON j.run_id = d.run_id AND j.job = d.job;

CREATE VIEW v_fills AS -- 17
SELECT f.list, -- of tasks: its file's name without endings
 f.policy, -- as it was asked for
 f.seed, -- [number] of the order in which tasks come
 f.load_milli / 1e3 AS load, -- [share] of the cluster's GPUs that all tasks ask for
 p.percent, -- [%] of the cluster's GPUs asked for so far
 p.allocated_milli * 1.0 / f.gpu_milli AS allocated, -- [share] of the cluster's GPUs, given out by then
 coalesce(p.fragmented_milli / nullif(f.gpu_milli - p.allocated_milli, 0),
 0.0) AS fragmented -- [share] of free GPUs, of no use to the mean task of the list
 FROM fills f JOIN fill_points p ON p.fill_id = f.id;

CREATE VIEW v_nodes AS -- 9
SELECT r.name AS run, -- name of the run
 n.name AS node, -- name of the node
 n.type, -- of the node
 n.domain, -- racks and the like that hold it
 n.gpus, -- [GPUs] it has
 n.model -- of these
 FROM nodes n JOIN runs r ON r.id = n.run_id;

CREATE VIEW v_events AS -- 10
SELECT r.name AS run, -- name of the run
 e.at_us / 1e6 AS at, -- [s] when; there are events of runs with --events only
 e.kind, -- what happened
 j.name AS job, -- name of the job
 n.name AS node, -- name of the node; NULL: of none
 e.tasks -- [tasks] it happened to
 FROM events e JOIN runs r ON r.id = e.run_id
 JOIN jobs j ON j.run_id = e.run_id AND j.job = e.job
 LEFT JOIN nodes n
 ON n.run_id = e.run_id AND n.node = e.node;

CREATE VIEW v_queues AS -- 13
SELECT r.name AS run, -- name of the run
 q.queue, -- that jobs were submitted to
 q.jobs, -- [jobs] submitted to it, within the time that is measured and before the run ended
 q.done, -- [jobs] of these: ended well
 q.unstarted, -- [jobs] of these: never started
 max(m.value) FILTER (WHERE m.name = 'wait.mean') AS wait_mean, -- [s] that jobs waited, before the first start and after each eviction, of jobs that started, on average
 max(m.value) FILTER (WHERE m.name = 'wait.p95') AS wait_p95, -- [s] the same, of which 95 in 100 jobs waited no longer
 max(m.value) FILTER (WHERE m.name = 'wait.max') AS wait_max, -- [s] the longest of these
 max(m.value) FILTER (WHERE m.name = 'queue.share') AS share, -- [share] of the cluster's GPUs, held over time; NULL where a single queue asked
 max(m.value) FILTER (WHERE m.name = 'queue.deserved') AS deserved -- [share] the same of what it deserved by weights, guarantees and limits
 FROM (SELECT run_id, queue, count(*) AS jobs,
  count(*) FILTER (WHERE j.state = 'done') AS done,
  count(*) FILTER (WHERE j.start_us IS NULL) AS unstarted
  FROM jobs j JOIN runs w ON w.id = j.run_id
  WHERE coalesce(j.eligible_us, 0) >= 0
  AND coalesce(j.eligible_us, j.submit_us) <= w.end_us
  AND coalesce(j.eligible_us, j.submit_us) >= coalesce(w.from_us, j.submit_us)
  AND (coalesce(j.eligible_us, j.submit_us) < w.to_us OR coalesce(w.to_us, w.end_us) >= w.end_us)
  GROUP BY run_id, queue) q
 JOIN runs r ON r.id = q.run_id LEFT JOIN metrics m
 ON m.run_id = q.run_id AND m.scope = 'queue' AND m.label = q.queue
 GROUP BY q.run_id, q.queue;

CREATE VIEW v_changes AS -- 12
SELECT b.name AS base, -- name of the run that is compared with
 r.name AS run, -- name of another run
 m.name AS metric, -- that both have
 m.scope, -- what it is of: cluster, queue, size or type
 m.label, -- the queue, or the class of GPUs a job asks for
 m.unit, -- of the values
 o.value AS base_value, -- [unit] of the base
 m.value, -- [unit] of the run
 m.value - o.value AS change, -- [unit] value less base_value
 CASE m.unit WHEN 'share' THEN NULL ELSE  (m.value - o.value) /
 nullif(abs(o.value), 0) * 100 END AS percent, -- [%] the change of base_value; NULL when that is 0, and of shares
 CASE m.unit WHEN 'share' THEN (m.value - o.value) * 100 END AS points -- [points] the change of a share, in hundredths of it; NULL of all else
 FROM runs r JOIN runs b ON b.id <> r.id
 JOIN metrics m ON m.run_id = r.id
 JOIN metrics o ON o.run_id = b.id AND o.name = m.name
 AND o.scope = m.scope AND o.label = m.label;

CREATE VIEW v_hours AS -- 15
WITH RECURSIVE bucket AS (SELECT s.run_id,
  s.at_us AS sample_us, s.at_us - coalesce(r.from_us, 0) AS at_us,
  coalesce(lead(s.at_us) OVER
   (PARTITION BY s.run_id ORDER BY s.at_us), r.to_us, r.end_us)
  - coalesce(r.from_us, 0) AS end_us
  FROM samples s JOIN runs r ON r.id = s.run_id),
 part AS (SELECT run_id, sample_us, end_us, at_us AS from_us,
  min(end_us, (at_us / 3600000000 + 1) * 3600000000) AS to_us
  FROM bucket WHERE end_us > at_us
  UNION ALL SELECT run_id, sample_us, end_us, to_us,
  min(end_us, to_us + 3600000000) FROM part WHERE to_us < end_us),
 hours AS (SELECT p.run_id, from_us / 3600000000 AS hour,
  sum(to_us - from_us) / 3.6e9 AS hours,
  sum(gpus_allocated * (to_us - from_us)) / 3.6e9 AS allocated,
  sum(gpus_busy * (to_us - from_us)) / 3.6e9 AS busy,
  sum(gpus_hoarded * (to_us - from_us)) / 3.6e9 AS hoarded,
  sum(jobs_waiting * (to_us - from_us)) / 3.6e9 AS waiting,
  sum(jobs_running * (to_us - from_us)) / 3.6e9 AS running,
  sum(frag_node_share * (to_us - from_us)) / 3.6e9 AS node,
  sum(frag_free_share * (to_us - from_us)) / 3.6e9 AS free,
  sum(frag_capacity_share * (to_us - from_us)) / 3.6e9 AS capacity
  FROM part p JOIN samples s ON s.run_id = p.run_id
  AND s.at_us = p.sample_us GROUP BY 1, 2)
 SELECT r.name AS run, -- name of the run
 h.hour, -- [number] of the hour, from 0 at the window's begin; the values are of it, the last is cut where the window ends
 h.allocated AS allocated_gpu_hours, -- [GPU h] held by any job
 h.busy AS busy_gpu_hours, -- [GPU h] held by running jobs
 h.hoarded AS hoarded_gpu_hours, -- [GPU h] held by partly placed jobs
 h.allocated / h.hours / nullif(r.gpus, 0) AS allocated_share, -- [share] of the cluster's GPUs, held by any job
 h.busy / h.hours / nullif(r.gpus, 0) AS busy_share, -- [share] of the cluster's GPUs, held by running jobs
 h.waiting / h.hours AS jobs_waiting, -- [jobs] that waited, on average
 h.running / h.hours AS jobs_running, -- [jobs] that ran, on average
 h.node / h.hours AS frag_node_share, -- [share] of nodes with GPUs, neither empty nor full
 h.free / h.hours AS frag_free_share, -- [share] of free GPUs, on such nodes
 h.capacity / h.hours AS frag_capacity_share -- [share] of all GPUs, free on such nodes
 FROM hours h JOIN runs r ON r.id = h.run_id;

-- Made from the comments here; this tells its columns.
CREATE VIEW v_columns AS -- 18
SELECT "view", -- name of a view
 "column", -- of the view
 "unit", -- of its numbers; empty of texts
 "meaning" -- in a few words
 FROM nothing;

CREATE VIEW v_sweeps AS -- 19
SELECT s.name AS sweep, -- its name
 p.run, -- name of the run of one of its points
 p.state, -- of the point: pending, done or failed
 v.axis, -- trace, topology, policy, seed or what the sweep sets
 v.value -- of the point on this axis
 FROM sweeps s JOIN sweep_points p ON p.sweep_id = s.id
 JOIN sweep_values v ON v.sweep_id = s.id AND v.point = p.point;
