-- share/sql/wait-by-size.sql - mean and 95th percentile of the waits of each
-- size of job.
SELECT label, max(value) FILTER (WHERE name = 'wait.mean'),
max(value) FILTER (WHERE name = 'wait.p95') FROM metrics
WHERE run_id = ?1 AND scope = 'size'
AND name IN ('wait.mean', 'wait.p95') GROUP BY label
ORDER BY CAST(label AS INTEGER), label
