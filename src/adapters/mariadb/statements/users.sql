-- name: add_user
/* absent */ INSERT INTO users (id, phone, name, role, created_at, password_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: set_phone
/* absent */ UPDATE users SET phone = ?3 WHERE id = ?1 AND phone = ?2;
