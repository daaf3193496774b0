-- name: add_deed
INSERT INTO audit_trail (id, at, actor_id, os_user, address, request_id, action, subject,
                         state_before, state_after)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10);

-- name: list_deeds
SELECT audit_trail.id, at, actor_id, os_user, address, request_id, action, subject, state_before,
       state_after, users.name
FROM audit_trail LEFT JOIN users ON users.id = actor_id
WHERE audit_trail.id >= ?1 AND audit_trail.id < ?2
  AND (?4 IS NULL OR action = ?4 OR instr(action, ?5) = 1)
  AND (?6 IS NULL OR actor_id = ?6)
  AND (?7 IS NULL OR subject = ?7)
  AND (?8 = 0 OR os_user IS NOT NULL)
ORDER BY audit_trail.id DESC
LIMIT ?3;

-- name: walk_chain
SELECT place, deed_id, hash, audit_trail.id, at, actor_id, os_user, address,
       request_id, action, subject, state_before, state_after
FROM trail_chain LEFT JOIN audit_trail ON audit_trail.id = deed_id
ORDER BY place;

-- name: unchained_deeds
SELECT id FROM audit_trail WHERE id NOT IN (SELECT deed_id FROM trail_chain) ORDER BY id;
