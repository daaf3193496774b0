-- name: add_user
INSERT INTO users (id, phone, name, role, created_at, password_hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (phone) DO NOTHING;

-- name: find_user_by_phone
SELECT id, phone, name, role, created_at, password_hash FROM users WHERE phone = ?1;

-- name: find_user
SELECT id, phone, name, role, created_at FROM users WHERE id = ?1;

-- name: list_users
SELECT id, phone, name, role, created_at FROM users WHERE id < ?1 ORDER BY id DESC LIMIT ?2;

-- name: list_users_in_role
SELECT id, phone, name, role, created_at FROM users
WHERE role = ?3 AND id < ?1
ORDER BY id DESC
LIMIT ?2;

-- name: find_users_named
-- In no order: where an index has only the beginnings of long names, it cannot sort them.
SELECT id FROM users WHERE name >= ?1 AND name < ?2 LIMIT ?3;

-- name: find_other_admin
SELECT 1 FROM users WHERE role = 'admin' AND id <> ?1 LIMIT 1;

-- name: replace_password_hash
UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2;

-- name: set_password_hash
UPDATE users SET password_hash = ?2 WHERE id = ?1;

-- name: set_phone
UPDATE OR IGNORE users SET phone = ?3 WHERE id = ?1 AND phone = ?2;

-- name: set_role
UPDATE users SET role = ?2 WHERE id = ?1;
