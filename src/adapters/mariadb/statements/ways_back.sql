-- name: expire_orders
-- By a join: MariaDB would look through all orders for an IN.
UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (id BIGINT PATH '$')) AS due
STRAIGHT_JOIN orders ON orders.id = due.id
SET orders.state = 'expired'
WHERE orders.state = 'pending';

-- name: next_due
-- A comparison of two columns at once would use no index.
SELECT expires_at FROM orders
WHERE state = 'pending' AND expires_at >= ?1 AND (expires_at > ?1 OR id > ?2)
ORDER BY expires_at, id LIMIT 1;

-- name: list_due
SELECT id, sale_id, buyer_id, quantity, expires_at FROM orders
WHERE state = 'pending' AND expires_at <= ?1 AND expires_at >= ?3 AND (expires_at > ?3 OR id > ?4)
ORDER BY expires_at, id
LIMIT ?2;
