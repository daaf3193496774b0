-- name: extend_session
UPDATE sessions SET expires_at = greatest(expires_at, least(?2, ends_at)) WHERE "key" = ?1;

-- name: prune_sessions
DELETE FROM sessions WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2;
