-- name: add_deed
INSERT INTO audit_trail (id, at, actor_id, os_user, address, request_id, action, subject,
                         state_before, state_after)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10);

-- name: list_deeds
SELECT audit_trail.id, at, actor_id, os_user, address, request_id, action, subject, state_before,
       state_after, users.name
FROM audit_trail LEFT JOIN users ON users.id = actor_id
WHERE audit_trail.id < ?1
ORDER BY audit_trail.id DESC
LIMIT ?2;

-- name: walk_chain
SELECT place, deed_id, hash, audit_trail.id, at, actor_id, os_user, address,
       request_id, action, subject, state_before, state_after
FROM trail_chain LEFT JOIN audit_trail ON audit_trail.id = deed_id
ORDER BY place;

-- name: unchained_deeds
SELECT id FROM audit_trail WHERE id NOT IN (SELECT deed_id FROM trail_chain) ORDER BY id;
