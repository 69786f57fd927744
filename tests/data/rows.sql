-- Metrics computed again from the stored rows of runs, by SQL and nothing of
-- reports/: tests/sim/test_rows.c and tests/cli/t23-window.sh ask for what
-- differs.  Definitions: gsim compare --explain.
--
-- Tables of the result: `differs` (run, name, scope, label, stored, rows), where
-- `rows` is what the rows give, and either is NULL where it is absent.
-- The runs must not end at the very instant of --to; --large is `large_gpus`.

-- Metrics that rows cannot give, and why.
CREATE TEMP TABLE left_out (pattern TEXT, why TEXT);
INSERT INTO left_out VALUES
    ('gpu_time.*', 'rows do not tell what waits at a time; their sum is held in'
        || ' tests/sim/test_gpu_time.c'),
    ('jobs.services', 'rows do not tell which jobs have no end'),
    ('jobs.unfinished', 'the same; with jobs.services it is held below'),
    ('large.success', 'the same: a running service is a success'),
    ('makespan.over_bound', 'the same: services apart'),
    ('bound.*', 'rows do not tell durations'),
    ('service.*', 'the same, and which jobs are withdrawn'),
    ('fair.*', 'rows do not tell what queues ask for, nor their weights'),
    ('queue.deserved', 'the same'),
    ('frag.demand', 'rows do not tell the mix of tasks'),
    ('frag.blocked', 'rows do not tell the first job of a queue at a time'),
    ('frag.largest_gang', 'rows do not tell which GPU an instance leaves free'),
    ('frag.tier_share.*', 'rows do not tell the domains of nodes'),
    ('jobs.waiting_or_running', 'of the test itself');

-- What needs GPUs held per placement; runs with MIG instances are not in it.
CREATE TEMP TABLE bit (i INTEGER PRIMARY KEY);
INSERT INTO bit WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n
    WHERE i < 63) SELECT i FROM n;

CREATE TEMP TABLE r AS SELECT id, name, gpus, end_us AS stop, from_us AS f,
    to_us AS t, coalesce(options ->> 'large', 64) AS large,
    EXISTS (SELECT 1 FROM placements p WHERE p.run_id = runs.id
            AND slices IS NOT NULL) AS has_mig,
    EXISTS (SELECT 1 FROM legs l WHERE l.run_id = runs.id) AS has_legs,
    EXISTS (SELECT 1 FROM outages o WHERE o.run_id = runs.id) AS has_outages
    FROM runs;

-- Jobs that count: submitted in the window.
CREATE TEMP TABLE j AS SELECT jobs.*, r.stop, r.f, r.t, r.large,
    coalesce(end_us, stop) - submit_us - coalesce(ran_us, 0) AS waited
    FROM jobs JOIN r ON r.id = run_id WHERE submit_us >= f AND submit_us <= stop
    AND (submit_us < t OR (t = stop AND submit_us = t));

CREATE INDEX temp.j_run ON j (run_id, job);

-- Events and spans that count: at or after its begin, before its end; at the
-- end of the run too.
CREATE TEMP TABLE e AS SELECT v.*, r.f, r.t FROM evictions v
    JOIN r ON r.id = run_id
    WHERE at_us >= f AND (at_us < t OR (t = stop AND at_us = t));

CREATE INDEX temp.e_run ON e (run_id);

CREATE TEMP TABLE got (run_id INTEGER, name TEXT, scope TEXT, label TEXT,
    value REAL);

-- --- jobs ----------------------------------------------------------------------
INSERT INTO got
    SELECT id, 'jobs.total', 'cluster', '', (SELECT count(*) FROM j
        WHERE run_id = id) FROM r
    UNION ALL SELECT id, 'jobs.' || state, 'cluster', '', (SELECT count(*) FROM j
        WHERE run_id = id AND j.state = s.state) FROM r,
        (SELECT 'done' AS state UNION ALL SELECT 'failed'
         UNION ALL SELECT 'rejected') s
    UNION ALL SELECT id, 'jobs.waiting_or_running', 'cluster', '',
        (SELECT count(*) FROM j WHERE run_id = id
         AND state IN ('pending', 'partly placed', 'running')) FROM r
    UNION ALL SELECT id, 'large.count', 'cluster', '', (SELECT count(*) FROM j
        WHERE run_id = id AND gpu_milli >= j.large * 1000) FROM r
    UNION ALL SELECT id, 'wait.unfinished.count', 'cluster', '',
        (SELECT count(*) FROM j WHERE run_id = id AND start_us IS NULL
         AND state IN ('pending', 'partly placed')) FROM r
    UNION ALL SELECT run_id, 'wait.unfinished.mean', 'cluster', '',
        avg(stop - submit_us) / 1e6 FROM j WHERE start_us IS NULL
        AND state IN ('pending', 'partly placed') GROUP BY run_id
    UNION ALL SELECT id, 'wait.by_cause.' || c.cause, 'cluster', '',
        (SELECT coalesce(sum(us), 0) / 1e6 FROM waits w JOIN j USING (run_id, job)
         WHERE w.run_id = id AND w.cause = c.cause) FROM r,
        (SELECT 'quota' AS cause UNION ALL SELECT 'capacity'
         UNION ALL SELECT 'fragmentation' UNION ALL SELECT 'topology'
         UNION ALL SELECT 'constraint' UNION ALL SELECT 'hoarding'
         UNION ALL SELECT 'order' UNION ALL SELECT 'latency') c;

-- Distributions: a value of each job, then nearest ranks.
CREATE TEMP TABLE v AS
    SELECT run_id, 'wait.first.' AS name, 'cluster' AS scope, '' AS label,
        (start_us - submit_us) / 1e6 AS x FROM j WHERE start_us IS NOT NULL
    UNION ALL SELECT run_id, 'wait.', 'cluster', '', waited / 1e6 FROM j
        WHERE start_us IS NOT NULL
    UNION ALL SELECT run_id, 'wait.', 'queue', queue, waited / 1e6 FROM j
        WHERE start_us IS NOT NULL
    UNION ALL SELECT run_id, 'wait.', 'size', CASE
            WHEN gpu_milli = 0 THEN 'CPU only' WHEN gpu_milli < 1000 THEN 'share'
            WHEN gpu_milli = 1000 THEN '1' WHEN gpu_milli < 8000 THEN '2-7'
            WHEN gpu_milli = 8000 THEN '8' WHEN gpu_milli <= 64000 THEN '9-64'
            WHEN gpu_milli < 512000 THEN '65-511' ELSE '512+' END,
        waited / 1e6 FROM j WHERE start_us IS NOT NULL
    UNION ALL SELECT run_id, 'jct.', 'cluster', '', (end_us - submit_us) / 1e6
        FROM j WHERE state = 'done'
    UNION ALL SELECT run_id, 'slowdown.', 'cluster', '',
        max(1.0, 1.0 * (end_us - submit_us) / max(work_us, 10000000))
        FROM j WHERE state = 'done'
    UNION ALL SELECT run_id, 'large.start_delay.', 'cluster', '',
        (start_us - submit_us) / 1e6 FROM j
        WHERE start_us IS NOT NULL AND gpu_milli >= j.large * 1000;
CREATE TEMP TABLE ranked AS SELECT *, row_number() OVER own AS k,
    count(*) OVER (PARTITION BY run_id, name, scope, label) AS n FROM v
    WINDOW own AS (PARTITION BY run_id, name, scope, label ORDER BY x);
INSERT INTO got SELECT run_id, name || 'mean', scope, label, avg(x) FROM v
    GROUP BY 1, 2, 3, 4;
INSERT INTO got SELECT run_id, name || q, scope, label, x FROM ranked,
    (SELECT 'p50' AS q, 50 AS p UNION ALL SELECT 'p90', 90
     UNION ALL SELECT 'p95', 95 UNION ALL SELECT 'p99', 99
     UNION ALL SELECT 'max', 100)
    WHERE k = max(1, (p * n + 99) / 100)
    AND (q IN ('p50', 'p95', 'max')
         OR (scope = 'cluster' AND name IN ('wait.', 'jct.', 'slowdown.')));

INSERT INTO got WITH m AS (SELECT run_id,
        coalesce(max(CASE state WHEN 'rejected' THEN NULL ELSE end_us END),
                 min(submit_us)) AS last, min(submit_us) AS first, sum(state = 'done') AS done FROM j GROUP BY 1)
    SELECT run_id, 'makespan', 'cluster', '', (last - first) / 1e6 FROM m
        WHERE done > 0
    UNION ALL SELECT run_id, 'throughput.jobs_per_hour', 'cluster', '',
        done * 3.6e9 / (last - first) FROM m WHERE done > 0 AND last > first;

INSERT INTO got WITH s AS (SELECT * FROM j WHERE start_us IS NOT NULL
        AND gpu_milli > 1000)
    SELECT run_id, 'placement.tier_share.' || tier, 'cluster', '',
        1.0 * count(*) / (SELECT count(*) FROM s a WHERE a.run_id = s.run_id)
        FROM s GROUP BY run_id, tier;

-- --- evictions -------------------------------------------------------------------
CREATE TEMP TABLE taken (kind TEXT);
INSERT INTO taken VALUES ('preempt'), ('reclaim'), ('reclaim-borrowing'),
    ('reclaim-share');
INSERT INTO got
    SELECT id, 'preempt.count', 'cluster', '', (SELECT count(*) FROM e
        WHERE run_id = id AND kind IN (SELECT kind FROM taken)) FROM r
    UNION ALL SELECT id, 'preempt.jobs', 'cluster', '',
        (SELECT count(DISTINCT job) FROM e WHERE run_id = id
         AND kind IN (SELECT kind FROM taken)) FROM r
    UNION ALL SELECT id, 'preempt.lost_gpu_hours', 'cluster', '',
        (SELECT coalesce(sum(lost_gpu_us), 0) / 3.6e9 FROM e WHERE run_id = id
         AND kind IN (SELECT kind FROM taken)) FROM r
    UNION ALL SELECT run_id, 'moves.count', 'cluster', '', count(*) FROM e
        WHERE kind = 'move' GROUP BY run_id
    UNION ALL SELECT run_id, 'moves.lost_gpu_hours', 'cluster', '',
        sum(lost_gpu_us) / 3.6e9 FROM e WHERE kind = 'move' GROUP BY run_id
    -- one node at an instant
    UNION ALL SELECT run_id, 'moves.nodes', 'cluster', '',
        count(DISTINCT CASE WHEN by_job IS NULL THEN at_us END) FROM e
        WHERE kind = 'move' GROUP BY run_id
    UNION ALL SELECT id, 'gang.timeouts', 'cluster', '', (SELECT count(*) FROM e
        WHERE run_id = id AND kind = 'timeout') FROM r
    UNION ALL SELECT id, 'failure.restarts', 'cluster', '', (SELECT count(*)
        FROM e WHERE run_id = id AND kind = 'lost' AND whole) FROM r
        WHERE has_outages
    UNION ALL SELECT id, 'failure.jobs', 'cluster', '',
        (SELECT count(DISTINCT job) FROM e WHERE run_id = id AND kind = 'lost'
         AND whole) FROM r WHERE has_outages
    UNION ALL SELECT id, 'failure.lost_gpu_hours', 'cluster', '',
        (SELECT coalesce(sum(lost_gpu_us), 0) / 3.6e9 FROM e WHERE run_id = id
         AND kind = 'lost' AND whole) FROM r WHERE has_outages;

-- --- deadlocks ---------------------------------------------------------------------
CREATE TEMP TABLE d AS SELECT x.run_id, episode, job, start_us AS s,
    coalesce(end_us, stop) AS e, coalesce(endless, 0) AS endless, r.f, r.t
    FROM deadlocks x JOIN r ON r.id = x.run_id
    WHERE (start_us >= f AND (start_us < t OR (t = stop AND start_us = t)))
    OR (start_us < f AND coalesce(end_us, stop) > f AND f < t);
CREATE INDEX temp.d_run ON d (run_id, job);
INSERT INTO got WITH one AS (SELECT run_id, episode, s, e, f, t, endless FROM d
        GROUP BY run_id, episode)
    SELECT id, 'deadlock.episodes', 'cluster', '', (SELECT count(*) FROM one
        WHERE run_id = id) FROM r
    UNION ALL SELECT id, 'deadlock.endless', 'cluster', '',
        (SELECT coalesce(sum(endless), 0) FROM one WHERE run_id = id) FROM r
    UNION ALL SELECT id, 'deadlock.jobs', 'cluster', '',
        (SELECT count(DISTINCT job) FROM d WHERE run_id = id) FROM r
    UNION ALL SELECT id, 'deadlock.seconds', 'cluster', '',
        (SELECT coalesce(sum(max(0, min(e, t) - max(s, f))), 0) / 1e6 FROM one
         WHERE run_id = id) FROM r
    UNION ALL SELECT run_id, 'deadlock.first_at', 'cluster', '',
        max(0, min(s) - f) / 1e6 FROM one GROUP BY run_id;

-- --- over time -----------------------------------------------------------------------
CREATE TEMP TABLE p AS SELECT x.run_id, job, node, start_us AS s,
    coalesce(end_us, stop) AS e,
    coalesce(share, 0) * (SELECT count(*) FROM bit WHERE (devices >> i) & 1) AS h
    FROM placements x JOIN r ON r.id = x.run_id;
CREATE INDEX temp.p_node ON p (run_id, node, s);
CREATE INDEX temp.p_job ON p (run_id, job);
-- State of each node: open at first.
CREATE TEMP TABLE st AS WITH o AS (
        SELECT run_id, node, 0 AS seq, -1 AS s, 'open' AS state FROM nodes
        UNION ALL SELECT run_id, node, seq + 1, at_us, state FROM outages
            WHERE device IS NULL)
    SELECT run_id, node, s, state, lead(s, 1, 9e18) OVER (
        PARTITION BY run_id, node ORDER BY seq) AS e FROM o;
CREATE INDEX temp.st_node ON st (run_id, node, s);
-- ... and of each GPU that failed by itself.
CREATE TEMP TABLE bad AS SELECT * FROM (
    SELECT run_id, node, device, at_us AS s, state, lead(at_us, 1, 9e18) OVER (
        PARTITION BY run_id, node, device ORDER BY seq) AS e FROM outages
        WHERE device IS NOT NULL) WHERE state = 'failed';
CREATE INDEX temp.bad_node ON bad (run_id, node);

CREATE TEMP TABLE span AS SELECT run_id, s, lead(s) OVER (PARTITION BY run_id
        ORDER BY s) AS e FROM (
    SELECT run_id, p.s AS s FROM p UNION SELECT run_id, p.e FROM p
    UNION SELECT run_id, st.s FROM st UNION SELECT run_id, bad.s FROM bad
    UNION SELECT run_id, bad.e FROM bad
    UNION SELECT id, f FROM r UNION SELECT id, t FROM r) JOIN r ON id = run_id
    WHERE s BETWEEN f AND t;
DELETE FROM span WHERE e IS NULL OR e <= s;

CREATE TEMP TABLE cell AS SELECT *,
    CASE WHEN open THEN gpus * 1000 - held - bad * 1000 ELSE 0 END AS free,
    CASE WHEN open THEN bad * 1000 ELSE gpus * 1000 - held END AS out FROM (
    SELECT span.run_id, span.s, span.e - span.s AS len, n.gpus,
        (SELECT coalesce(sum(h), 0) FROM p WHERE p.run_id = span.run_id
         AND p.node = n.node AND p.s <= span.s AND p.e > span.s) AS held,
        (SELECT state = 'open' FROM st WHERE st.run_id = span.run_id
         AND st.node = n.node AND st.s <= span.s AND st.e > span.s) AS open,
        (SELECT count(DISTINCT device) FROM bad WHERE bad.run_id = span.run_id
         AND bad.node = n.node AND bad.s <= span.s AND bad.e > span.s) AS bad
    FROM span JOIN nodes n ON n.run_id = span.run_id AND n.gpus > 0
    JOIN r ON r.id = span.run_id AND NOT has_mig);
CREATE TEMP TABLE now AS SELECT run_id, s, len, sum(held) AS held,
    sum(free) AS free, sum(out) AS out, sum(gpus) * 1000 - sum(out) AS there,
    sum(open) AS nodes, sum(held > 0 AND free > 0) AS partial,
    sum(CASE WHEN held > 0 THEN free ELSE 0 END) AS partial_free
    FROM cell GROUP BY run_id, s;
-- By legs, which runs under a speed model have.
CREATE TEMP TABLE ran AS SELECT run_id, job, gpu_milli, speed_ppm,
    max(0, min(start_us + us, t) - max(start_us, f)) AS us
    FROM legs JOIN r ON r.id = run_id;

INSERT INTO got WITH
    a AS (SELECT run_id, sum(1.0 * held * len) AS held,
        sum(1.0 * there * len) AS there FROM now GROUP BY run_id),
    b AS (SELECT run_id, sum(1.0 * gpu_milli * us) AS busy FROM ran GROUP BY 1),
    c AS (SELECT run_id, sum(lost_gpu_us) * 1000.0 AS lost FROM e GROUP BY 1)
    SELECT run_id, 'gpu.allocated', 'cluster', '', held / there FROM a
        WHERE there > 0
    UNION ALL SELECT run_id, 'gpu.busy', 'cluster', '', busy / there
        FROM a JOIN b USING (run_id) WHERE there > 0
    UNION ALL SELECT run_id, 'gpu.hoarded', 'cluster', '',
        round((held - busy) / there, 12) FROM a JOIN b USING (run_id)
        WHERE there > 0
    UNION ALL SELECT run_id, 'goodput', 'cluster', '',
        max(0, busy - coalesce(lost, 0)) / held FROM a JOIN b USING (run_id)
        LEFT JOIN c USING (run_id) WHERE held > 0
    UNION ALL SELECT run_id, 'deadlock.gpu_hours', 'cluster', '',
        (SELECT coalesce(sum(1.0 * h * max(0, min(p.e, d.e, t)
            - max(p.s, d.s, f))), 0) / 3.6e12 FROM d JOIN p USING (run_id, job)
         WHERE run_id = a.run_id) FROM a;
INSERT INTO got SELECT run_id, 'frag.' || x, 'cluster', '', CASE x
    WHEN 'node_share' THEN sum(coalesce(1.0 * partial / nullif(nodes, 0), 0) * len)
    WHEN 'free_share' THEN sum(coalesce(1.0 * partial_free / nullif(free, 0), 0) * len)
    ELSE sum(coalesce(1.0 * partial_free / nullif(there, 0), 0) * len) END / sum(len)
    FROM now, (SELECT 'node_share' AS x UNION ALL SELECT 'free_share'
               UNION ALL SELECT 'capacity_share') GROUP BY run_id, x;
INSERT INTO got SELECT run_id, 'speed.mean', 'cluster', '',
    sum(1.0 * gpu_milli * us * speed_ppm) / 1e6 / sum(1.0 * gpu_milli * us)
    FROM ran GROUP BY run_id HAVING sum(1.0 * gpu_milli * us) > 0;
INSERT INTO got SELECT run_id, 'speed.stretch', 'cluster', '',
    sum(1.0 * us) * 1e6 / sum(1.0 * us * speed_ppm)
    FROM ran GROUP BY run_id HAVING sum(us) > 0;

-- Held by a queue and those below it, of all GPUs of the cluster; of the queues
-- that are told of.
INSERT INTO got SELECT m.run_id, m.name, m.scope, m.label,
    (SELECT coalesce(sum(1.0 * h * max(0, min(p.e, t) - max(p.s, f))), 0) FROM p
     JOIN jobs USING (run_id, job) JOIN r ON r.id = run_id
     WHERE run_id = m.run_id AND (queue = m.label
           OR substr(queue, 1, length(m.label) + 1) = m.label || '/'))
    / (SELECT 1000.0 * gpus * (t - f) FROM r WHERE id = m.run_id)
    FROM metrics m WHERE m.name = 'queue.share'
    AND m.run_id IN (SELECT run_id FROM now WHERE there > 0);

-- --- nodes ---------------------------------------------------------------------------
CREATE TEMP TABLE hours AS SELECT st.run_id, type, state,
    sum(max(0, min(st.e, t) - max(st.s, f))) / 3.6e9 AS h
    FROM st JOIN r ON r.id = st.run_id AND has_outages
    JOIN nodes USING (run_id, node) GROUP BY 1, 2, 3;
INSERT INTO got
    SELECT run_id, 'node.hours_paid', 'type', type,
        sum(CASE state WHEN 'absent' THEN 0 ELSE h END) FROM hours GROUP BY 1, 4
    UNION ALL SELECT run_id, 'node.hours_paid', 'cluster', '',
        sum(CASE state WHEN 'absent' THEN 0 ELSE h END) FROM hours GROUP BY 1
    UNION ALL SELECT run_id, 'node.down_hours', 'cluster', '',
        sum(CASE state WHEN 'failed' THEN h ELSE 0 END) FROM hours GROUP BY 1
    UNION ALL SELECT run_id, 'node.drained_hours', 'cluster', '',
        sum(CASE state WHEN 'drained' THEN h ELSE 0 END) FROM hours GROUP BY 1
    UNION ALL SELECT run_id, 'node.availability', 'cluster', '',
        sum(CASE state WHEN 'open' THEN h ELSE 0 END)
        / sum(CASE state WHEN 'absent' THEN 0 ELSE h END) FROM hours GROUP BY 1
        HAVING sum(CASE state WHEN 'absent' THEN 0 ELSE h END) > 0
    UNION ALL SELECT id, 'gpu.down_hours', 'cluster', '',
        (SELECT coalesce(sum(max(0, min(e, t) - max(s, f))), 0) / 3.6e9 FROM bad
         WHERE run_id = id) FROM r WHERE has_outages AND gpus > 0
    UNION ALL SELECT id, 'autoscale.' || w, 'cluster', '',
        (SELECT count(*) FROM outages WHERE run_id = id AND scaled
         AND device IS NULL AND (state = 'absent') = (w = 'downs')
         AND at_us >= f AND (at_us < t OR (t = stop AND at_us = t)))
        FROM r, (SELECT 'ups' AS w UNION ALL SELECT 'downs') WHERE has_outages;

-- --- rows among themselves ---------------------------------------------------------
-- As if they were metrics: what one table says, held against another.
CREATE TEMP TABLE held AS SELECT run_id, name, scope, label, value FROM metrics
    UNION ALL SELECT run_id, 'jobs.waiting_or_running', 'cluster', '', sum(value)
        FROM metrics WHERE name IN ('jobs.unfinished', 'jobs.services')
        GROUP BY run_id
    -- causes add up to the wait, and refusals to the part that is quota
    UNION ALL SELECT run_id, 'row.waited', 'job', name, waited FROM j
        WHERE state <> 'rejected'
    UNION ALL SELECT run_id, 'row.evictions', 'job', name, evictions FROM jobs
    UNION ALL SELECT run_id, 'row.lost_gpu_us', 'job', name, lost_gpu_us FROM jobs
    UNION ALL SELECT run_id, 'row.ran', 'job', jobs.name, coalesce(ran_us, 0)
        FROM jobs JOIN r ON r.id = run_id AND has_legs;
INSERT INTO got
    SELECT run_id, 'row.waited', 'job', name, (SELECT coalesce(sum(us), 0)
        FROM waits w WHERE w.run_id = j.run_id AND w.job = j.job) FROM j
        WHERE state <> 'rejected'
    UNION ALL SELECT run_id, 'row.evictions', 'job', name, (SELECT count(*)
        FROM evictions v WHERE v.run_id = jobs.run_id AND v.job = jobs.job
        AND whole) FROM jobs
    UNION ALL SELECT run_id, 'row.lost_gpu_us', 'job', name,
        (SELECT coalesce(sum(lost_gpu_us), 0) FROM evictions v
         WHERE v.run_id = jobs.run_id AND v.job = jobs.job) FROM jobs
    UNION ALL SELECT run_id, 'row.ran', 'job', jobs.name, (SELECT coalesce(sum(us), 0)
        FROM legs l WHERE l.run_id = jobs.run_id AND l.job = jobs.job)
        FROM jobs JOIN r ON r.id = run_id AND has_legs;

CREATE INDEX temp.held_name ON held (run_id, name, scope, label);
CREATE INDEX temp.got_name ON got (run_id, name, scope, label);

-- --- the comparison -------------------------------------------------------------------
-- Metrics that are 0 may be absent from either side where they are of a part.
CREATE TEMP TABLE differs AS SELECT r.name AS run, k.name, k.scope, k.label,
    h.value AS stored, g.value AS rows FROM (
    SELECT run_id, name, scope, label FROM held
    UNION SELECT run_id, name, scope, label FROM got) k
    JOIN r ON r.id = k.run_id
    LEFT JOIN held h ON h.run_id = k.run_id AND h.name = k.name
        AND h.scope = k.scope AND h.label = k.label
    LEFT JOIN got g ON g.run_id = k.run_id AND g.name = k.name
        AND g.scope = k.scope AND g.label = k.label
    WHERE NOT coalesce(abs(h.value - g.value)
                       <= 2e-6 + 1e-9 * abs(h.value), 0)
    AND NOT (coalesce(h.value, g.value) = 0
             AND (k.name GLOB 'wait.by_cause.*'
                  OR k.name GLOB 'placement.tier_share.*'))
    AND NOT (g.value IS NULL AND EXISTS (SELECT 1 FROM left_out
                                         WHERE k.name GLOB pattern))
    -- rows do not tell the QOS of a job
    AND NOT (g.value IS NULL AND k.scope = 'qos')
    -- busy needs legs, and GPU time no MIG instance
    AND NOT (g.value IS NULL AND (has_mig OR NOT has_legs)
             AND k.name IN ('gpu.busy', 'gpu.hoarded', 'goodput'))
    AND NOT (g.value IS NULL AND (has_mig OR f >= t)
             AND (k.name GLOB 'frag.*' OR k.name GLOB 'gpu.*'
                  OR k.name IN ('deadlock.gpu_hours', 'queue.share')));
