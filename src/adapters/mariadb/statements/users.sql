-- name: add_user
/* absent */ INSERT INTO users (id, phone, name, role, created_at, password_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: find_user_for_update
SELECT id, phone, name, role, created_at FROM users WHERE id = ?1 FOR UPDATE;

-- name: set_phone
/* absent */ UPDATE users SET phone = ?3 WHERE id = ?1 AND phone = ?2;
