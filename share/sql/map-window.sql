-- share/sql/map-window.sql - the window that a map shows: the one of 52
-- samples, of some 1,000 to 2,000, with most hoarded GPUs, else most scattered
-- ones; no row of a run of few samples or few jobs, which is shown as a whole.
WITH s AS (SELECT at_us, gpus_hoarded, frag_capacity_share,
 iif(jobs_waiting >= 1, frag_capacity_share, 0.0) AS waited,
 count(*) OVER () AS n FROM samples WHERE run_id = ?1
 AND at_us BETWEEN ?2 AND ?3),
w AS (SELECT at_us, n, row_number() OVER (ORDER BY at_us) AS i,
 avg(gpus_hoarded) OVER o AS hoarded,
 avg(waited) OVER o AS waited,
 avg(frag_capacity_share) OVER o AS frag,
 lead(at_us, 52) OVER (ORDER BY at_us) AS until FROM s
 WINDOW o AS (ORDER BY at_us ROWS BETWEEN CURRENT ROW AND 51 FOLLOWING))
SELECT at_us, until,
 CASE WHEN hoarded > 0 THEN 3 WHEN waited > 0 THEN 2 ELSE 1 END FROM w
WHERE n >= 208 AND until IS NOT NULL
AND (SELECT count(*) FROM jobs WHERE run_id = ?1) >= 200
ORDER BY hoarded DESC, waited DESC, frag DESC, at_us LIMIT 1
