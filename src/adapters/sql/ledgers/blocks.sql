-- name: load_blocks
SELECT id, subject, reason, until, at, by_id FROM blocks
WHERE until IS NULL OR until > ?1
ORDER BY id DESC;

-- name: find_block
SELECT id, subject, reason, until, at, by_id FROM blocks WHERE subject = ?1;

-- name: count_blocks
SELECT count(*) FROM blocks;

-- name: drop_old_blocks
DELETE FROM blocks WHERE until <= ?1;

-- name: put_block
INSERT INTO blocks (id, subject, reason, until, at, by_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (subject) DO UPDATE
SET reason = excluded.reason, until = excluded.until, at = excluded.at, by_id = excluded.by_id;

-- name: remove_block
DELETE FROM blocks WHERE subject = ?1;
