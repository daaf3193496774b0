-- name: put_order_delivery
INSERT INTO order_deliveries (order_id, sale_id, state, carrier, number, changed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON DUPLICATE KEY UPDATE state = VALUE(state), carrier = VALUE(carrier), number = VALUE(number),
                        changed_at = VALUE(changed_at);
