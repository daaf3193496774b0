-- name: fill_probe
-- More than a full batch usually needs: a smaller one could fit into what is left of the log
-- and report a healthy disk on which real work still fails.
INSERT OR REPLACE INTO write_probe (id, filler) VALUES (1, zeroblob(1048576));

-- name: empty_probe
DELETE FROM write_probe;
