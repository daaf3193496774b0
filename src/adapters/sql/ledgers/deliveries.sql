-- name: find_order_delivery
SELECT state, carrier, number, changed_at FROM order_deliveries WHERE order_id = ?1;

-- name: put_order_delivery
INSERT INTO order_deliveries (order_id, sale_id, state, carrier, number, changed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (order_id) DO UPDATE
SET state = excluded.state, carrier = excluded.carrier, number = excluded.number,
    changed_at = excluded.changed_at;

-- name: page_of_delivery
-- The ids of orders, the newest first: from ?1 on, below ?2, at most ?3 of them.
SELECT order_id FROM order_deliveries
WHERE state = ?4 AND order_id >= ?1 AND order_id < ?2
ORDER BY order_id DESC LIMIT ?3;

-- name: page_of_delivery_in_sale
SELECT order_id FROM order_deliveries
WHERE sale_id = ?5 AND state = ?4 AND order_id >= ?1 AND order_id < ?2
ORDER BY order_id DESC LIMIT ?3;

-- name: list_delivery_states
-- Of the orders from ?1 to ?2, of one sale or of any.
SELECT order_id, state FROM order_deliveries
WHERE order_id >= ?1 AND order_id <= ?2 AND (?3 IS NULL OR sale_id = ?3)
ORDER BY order_id;
