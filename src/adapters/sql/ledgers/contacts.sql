-- name: find_contact
SELECT name, phone, address, note FROM contacts WHERE user_id = ?1;

-- name: put_contact
INSERT INTO contacts (user_id, name, phone, address, note, changed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (user_id) DO UPDATE
SET name = excluded.name, phone = excluded.phone, address = excluded.address, note = excluded.note,
    changed_at = excluded.changed_at;

-- name: erase_contact
DELETE FROM contacts WHERE user_id = ?1;

-- name: find_order_contact
SELECT name, phone, address, note FROM order_contacts WHERE order_id = ?1;

-- name: put_order_contact
INSERT INTO order_contacts (order_id, buyer_id, name, phone, address, note, changed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (order_id) DO UPDATE
SET name = excluded.name, phone = excluded.phone, address = excluded.address, note = excluded.note,
    changed_at = excluded.changed_at;

-- name: list_order_contacts
SELECT order_id FROM order_contacts WHERE buyer_id = ?1 AND order_id > ?2 ORDER BY order_id LIMIT ?3;

-- name: erase_order_contact
DELETE FROM order_contacts WHERE order_id = ?1;
