-- share/sql/wait-cdf.sql - waits of the started jobs and the share of jobs that
-- waited no longer, at most 400 of them; waits below a second count as 1 s.
WITH w AS (SELECT start_us - coalesce(eligible_us, submit_us) AS us,
row_number() OVER (ORDER BY start_us - coalesce(eligible_us, submit_us)) AS i
FROM jobs WHERE run_id = ?1 AND start_us IS NOT NULL AND since_us IS NULL
AND coalesce(eligible_us, submit_us) BETWEEN ?2 AND ?3),
n AS (SELECT count(*) AS n FROM w)
SELECT max(1.0, us / 1e6), 100.0 * i / n FROM w, n
WHERE i = n OR i = 1 OR i * 400 / n != (i - 1) * 400 / n
ORDER BY i
