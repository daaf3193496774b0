-- name: add_session
INSERT INTO sessions ("key", user_id, expires_at, ends_at, strong, network)
SELECT ?1, id, ?4, ?5, ?6, ?7 FROM users WHERE id = ?2 AND password_hash = ?3;

-- name: mint_session
INSERT INTO sessions ("key", user_id, expires_at, ends_at) VALUES (?1, ?2, ?3, ?3);

-- name: find_session
SELECT users.id, users.name, users.role, sessions.expires_at, sessions.ends_at, sessions.strong
FROM sessions JOIN users ON users.id = sessions.user_id
WHERE sessions."key" = ?1 AND sessions.expires_at > ?2;

-- name: extend_session
UPDATE sessions SET expires_at = max(expires_at, min(?2, ends_at)) WHERE "key" = ?1;

-- name: strengthen_session
UPDATE sessions SET strong = 1 WHERE "key" = ?1;

-- name: weaken_sessions_of_user
UPDATE sessions SET strong = 0 WHERE user_id = ?1;

-- name: remove_session
DELETE FROM sessions WHERE "key" = ?1;

-- name: find_sessions_of_user
SELECT "key" FROM sessions WHERE user_id = ?1;

-- name: remove_sessions_of_user
DELETE FROM sessions WHERE user_id = ?1;

-- name: prune_sessions
DELETE FROM sessions
WHERE "key" IN (SELECT "key" FROM sessions WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2);
