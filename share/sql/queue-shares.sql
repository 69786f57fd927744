-- share/sql/queue-shares.sql - what the 16 largest queues held and deserved, in
-- percent.
SELECT label,
100 * max(value) FILTER (WHERE name = 'queue.share'),
100 * max(value) FILTER (WHERE name = 'queue.deserved')
FROM metrics WHERE run_id = ?1 AND scope = 'queue'
AND name IN ('queue.share', 'queue.deserved')
GROUP BY label ORDER BY 3 DESC, 1 LIMIT 16
