-- share/sql/fragmentation.sql - scattered GPUs and partly used nodes, means of
-- 600 equal spans.
SELECT (min(at_us) - ?2) / 1e6, 100 * avg(frag_capacity_share),
100 * avg(frag_node_share)
FROM samples WHERE run_id = ?1 AND at_us BETWEEN ?2 AND ?3
GROUP BY (at_us - ?2) / (1 + (?3 - ?2) / 600)
ORDER BY 1
