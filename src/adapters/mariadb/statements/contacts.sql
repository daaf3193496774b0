-- name: put_contact
INSERT INTO contacts (user_id, name, phone, address, note, changed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON DUPLICATE KEY UPDATE name = VALUE(name), phone = VALUE(phone), address = VALUE(address), note = VALUE(note),
                        changed_at = VALUE(changed_at);

-- name: put_order_contact
INSERT INTO order_contacts (order_id, buyer_id, name, phone, address, note, changed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON DUPLICATE KEY UPDATE name = VALUE(name), phone = VALUE(phone), address = VALUE(address), note = VALUE(note),
                        changed_at = VALUE(changed_at);
