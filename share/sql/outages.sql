-- share/sql/outages.sql - GPUs out of service, from the first and from the last
-- change in each of 600 equal spans: after the first the most that were in the
-- span.  A GPU that failed by itself counts with its node while that is cordoned.
-- The state at the begin of the window stands at its begin.
WITH e AS (SELECT seq, at_us, node, iif(device IS NULL, state, NULL)
AS s, CASE WHEN device IS NULL THEN 0 WHEN state = 'failed' THEN 1
ELSE -1 END AS d FROM outages WHERE run_id = ?1),
g AS (SELECT *, count(s) OVER w AS k, sum(d) OVER w AS b FROM e
  WINDOW w AS (PARTITION BY node ORDER BY seq)),
f AS (SELECT *, coalesce(max(s) OVER (PARTITION BY node, k), 'open')
  AS now FROM g),
c AS (SELECT f.seq, f.at_us, f.node, CASE now WHEN 'failed' THEN gpus
  WHEN 'open' THEN b ELSE 0 END AS failed,
  iif(now = 'drained', gpus, 0) AS drained,
  iif(now = 'absent', gpus, 0) AS absent
  FROM f JOIN nodes n ON n.run_id = ?1 AND n.node = f.node),
d AS (SELECT at_us, failed - lag(failed, 1, 0) OVER w AS failed,
  drained - lag(drained, 1, 0) OVER w AS drained,
  absent - lag(absent, 1, 0) OVER w AS absent FROM c
  WINDOW w AS (PARTITION BY node ORDER BY seq)),
t AS (SELECT at_us, sum(sum(failed)) OVER w AS failed,
  sum(sum(drained)) OVER w AS drained, sum(sum(absent)) OVER w
  AS absent FROM d GROUP BY at_us WINDOW w AS (ORDER BY at_us)),
u AS (SELECT max(at_us, ?2) - ?2 AS at_us, failed, drained, absent
  FROM t, runs WHERE id = ?1 AND runs.gpus > 0 AND at_us <= ?3
  AND at_us >= coalesce((SELECT max(at_us) FROM t WHERE at_us <= ?2),
  ?2)),
b AS (SELECT *, at_us / (1 + (?3 - ?2) / 600) AS part FROM u),
r AS (SELECT min(at_us) AS at, 0 AS n, max(failed) AS failed,
  max(drained) AS drained, max(absent) AS absent FROM b GROUP BY part
  HAVING count(*) > 1
  UNION ALL SELECT max(at_us), 1, failed, drained, absent FROM b
  GROUP BY part
  UNION ALL SELECT ?3 - ?2, 2, failed, drained, absent FROM b
  WHERE at_us = (SELECT max(at_us) FROM b))
SELECT at / 1e6, failed, drained, absent FROM r ORDER BY at, n
