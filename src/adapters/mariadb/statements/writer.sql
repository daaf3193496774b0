-- name: fill_probe
-- More than a full batch usually needs.
REPLACE INTO write_probe (id, filler) VALUES (1, repeat(x'00', 1048576));
