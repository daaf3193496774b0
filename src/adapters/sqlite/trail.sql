-- name: add_deed
INSERT INTO audit_trail (id, at, actor_id, address, request_id, action, subject, state_before,
                         state_after)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: list_deeds
SELECT audit_trail.id, at, actor_id, address, request_id, action, subject, state_before,
       state_after, users.name
FROM audit_trail JOIN users ON users.id = actor_id
WHERE audit_trail.id < ?1
ORDER BY audit_trail.id DESC
LIMIT ?2;
