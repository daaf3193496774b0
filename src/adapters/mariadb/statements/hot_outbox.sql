-- name: prune_hot_changes
-- The first that is young is looked for in a table of its own, or else MariaDB would not read the one
-- that it deletes from.
DELETE FROM hot_outbox
WHERE id < (SELECT first FROM (SELECT coalesce(
                (SELECT id FROM hot_outbox WHERE at >= ?1 ORDER BY id LIMIT 1),
                9223372036854775807) AS first) AS young)
ORDER BY id LIMIT ?2;
