-- name: load_settings
SELECT name, value FROM settings ORDER BY name;

-- name: put_setting
INSERT INTO settings (name, value, changed_at) VALUES (?1, ?2, ?3)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at;

-- name: forget_setting
DELETE FROM settings WHERE name = ?1;

-- name: find_ticket_key
SELECT "key" FROM ticket_key;

-- name: add_ticket_key
INSERT INTO ticket_key (id, "key") VALUES (1, ?1) ON CONFLICT DO NOTHING;
