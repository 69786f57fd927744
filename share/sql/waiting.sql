-- share/sql/waiting.sql - waiting jobs, means of 600 equal spans.
SELECT (min(at_us) - ?2) / 1e6, avg(jobs_waiting)
FROM samples WHERE run_id = ?1 AND at_us BETWEEN ?2 AND ?3
GROUP BY (at_us - ?2) / (1 + (?3 - ?2) / 600)
ORDER BY 1
