-- share/sql/wait-by-cause.sql - the time that all jobs waited for each cause of
-- ?4, and where it begins and ends when the causes are put one after another.
WITH c(n, cause) AS (SELECT key, value FROM json_each(?4)),
w AS (SELECT n, cause, value AS h FROM c
JOIN metrics ON run_id = ?1 AND scope = 'cluster'
AND name = 'wait.by_cause.' || cause)
SELECT cause, n, sum(h) OVER (ORDER BY n) - h,
sum(h) OVER (ORDER BY n) FROM w ORDER BY n
