-- name: find_hot_seq
SELECT hot_seq FROM sales WHERE id = ?1;

-- name: note_hot_seq
UPDATE sales SET hot_seq = ?2 WHERE id = ?1;

-- name: add_hot_change
INSERT INTO hot_outbox (sale_id, seq, delta_left, buyer_id, delta_units, at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: list_hot_changes
SELECT seq, delta_left, buyer_id, delta_units FROM hot_outbox
WHERE sale_id = ?1 AND seq > ?2
ORDER BY seq LIMIT ?3;

-- name: prune_hot_changes
-- From the oldest on, up to the first that is young.
DELETE FROM hot_outbox WHERE id IN (
    SELECT id FROM hot_outbox
    WHERE id < coalesce((SELECT id FROM hot_outbox WHERE at >= ?1 ORDER BY id LIMIT 1),
                        9223372036854775807)
    ORDER BY id LIMIT ?2
);
