-- share/sql/map-placements.sql - what held the nodes in the window, and since
-- when its job ran.  CROSS JOIN: jobs are looked up for those placements only.
SELECT p.node, p.devices, p.start_us, coalesce(p.end_us, ?3),
coalesce(j.start_us, ?3) FROM placements p CROSS JOIN jobs j
ON j.run_id = ?1 AND j.job = p.job WHERE p.run_id = ?1
AND p.start_us < ?3 AND coalesce(p.end_us, ?3) > ?2
