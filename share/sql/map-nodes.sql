-- share/sql/map-nodes.sql - the nodes with GPUs, and how many there are.
SELECT node, name, gpus, count(*) OVER () FROM nodes
WHERE run_id = ?1 AND gpus > 0 ORDER BY node
