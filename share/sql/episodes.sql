-- share/sql/episodes.sql - spans in which GPUs were hoarded (0), and the 600
-- longest deadlocks (1), whose end is -1 when they last for ever.
WITH s AS (SELECT min(at_us) AS at, avg(gpus_hoarded) AS g
FROM samples WHERE run_id = ?1 AND at_us BETWEEN ?2 AND ?3
GROUP BY (at_us - ?2) / (1 + (?3 - ?2) / 600)
), h AS (SELECT at, coalesce(lead(at) OVER (ORDER BY at), ?3)
AS until, g FROM s)
SELECT 0, (at - ?2) / 1e6, (until - ?2) / 1e6, g FROM h
WHERE g > 0
UNION ALL SELECT * FROM (SELECT 1,
(max(min(start_us), ?2) - ?2) / 1e6,
CASE WHEN count(end_us) = count(*)
THEN (max(end_us) - ?2) / 1e6 ELSE -1 END, count(*)
FROM deadlocks WHERE run_id = ?1 GROUP BY episode
HAVING min(start_us) <= ?3 AND (count(end_us) < count(*)
OR max(end_us) > ?2)
ORDER BY max(coalesce(end_us, 1 << 60)) - min(start_us) DESC
LIMIT 600)
