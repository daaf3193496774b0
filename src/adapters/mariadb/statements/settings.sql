-- name: put_setting
INSERT INTO settings (name, value, changed_at) VALUES (?1, ?2, ?3)
ON DUPLICATE KEY UPDATE value = VALUE(value), changed_at = VALUE(changed_at);

-- name: add_ticket_key
/* absent */ INSERT INTO ticket_key (id, "key") VALUES (1, ?1);
