-- name: put_block
INSERT INTO blocks (id, subject, reason, until, at, by_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON DUPLICATE KEY UPDATE reason = VALUE(reason), until = VALUE(until), at = VALUE(at),
                        by_id = VALUE(by_id);
