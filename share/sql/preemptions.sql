-- share/sql/preemptions.sql - evictions by kind in 120 equal spans.
WITH b AS (SELECT 1 + (?3 - ?2) / 120 AS us)
SELECT (at_us - ?2) / us * us / 1e6,
count(*) FILTER (WHERE kind = 'preempt'),
count(*) FILTER (WHERE kind = 'reclaim'),
count(*) FILTER (WHERE kind = 'timeout'),
count(*) FILTER (WHERE kind = 'lost')
FROM evictions, b WHERE run_id = ?1
AND at_us BETWEEN ?2 AND ?3 GROUP BY (at_us - ?2) / us
ORDER BY 1
