-- name: holds_something
SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM items);

-- name: end_all_sessions
DELETE FROM sessions;
