-- name: page_of_outcome
-- An index entry of MariaDB ends with the id. Left alone, it would go through all orders by their id
-- until it has found enough.
SELECT id FROM orders FORCE INDEX (orders_by_outcome)
WHERE state = ?4 AND state <> 'pending' AND id >= ?1 AND id < ?2
ORDER BY id DESC LIMIT ?3;

-- name: page_of_pending
SELECT id FROM orders FORCE INDEX (orders_by_outcome)
WHERE state = 'pending' AND id >= ?1 AND id < ?2
ORDER BY id DESC LIMIT ?3;

-- name: page_of_buyer
SELECT orders.id
FROM journal STRAIGHT_JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?4 AND journal.order_id >= ?1 AND journal.order_id < ?2
  AND (?5 IS NULL OR journal.sale_id = ?5) AND (?6 IS NULL OR orders.state = ?6)
ORDER BY orders.id DESC LIMIT ?3;

-- name: page_of_money
SELECT DISTINCT refunds.order_id
FROM refunds STRAIGHT_JOIN orders ON orders.id = refunds.order_id
WHERE refunds.reason = ?7 AND refunds.order_id >= ?1 AND refunds.order_id < ?2
  AND (?4 IS NULL OR orders.buyer_id = ?4) AND (?5 IS NULL OR orders.sale_id = ?5)
  AND (?6 IS NULL OR orders.state = ?6)
ORDER BY refunds.order_id DESC LIMIT ?3;

-- name: page_of_owed
SELECT DISTINCT refunds.order_id
FROM refunds STRAIGHT_JOIN orders ON orders.id = refunds.order_id
WHERE refunds.done_at IS NULL AND refunds.order_id >= ?1 AND refunds.order_id < ?2
  AND (?4 IS NULL OR orders.buyer_id = ?4) AND (?5 IS NULL OR orders.sale_id = ?5)
  AND (?6 IS NULL OR orders.state = ?6)
ORDER BY refunds.order_id DESC LIMIT ?3;
