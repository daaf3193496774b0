-- name: add_user
INSERT INTO users (id, phone, name, role, password_hash, created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (phone) DO NOTHING;

-- name: find_user_by_phone
SELECT id, phone, name, role, created_at, password_hash FROM users WHERE phone = ?1;

-- name: set_password_hash
UPDATE users SET password_hash = ?2 WHERE id = ?1;

-- name: set_role
UPDATE users SET role = ?2 WHERE id = ?1;
