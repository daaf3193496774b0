-- The ids of one page, the newest first: from ?1 on, below ?2, at most ?3 of them.

-- name: page_of_orders
SELECT id FROM orders WHERE id >= ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3;

-- name: page_of_outcome
SELECT id FROM orders
WHERE state = ?4 AND state <> 'pending' AND id >= ?1 AND id < ?2
ORDER BY id DESC LIMIT ?3;

-- name: page_of_pending
-- As many of each sale as may be needed of it.
SELECT orders.id FROM sales CROSS JOIN orders
WHERE sales.stock_held > 0
  AND orders.id IN (SELECT id FROM orders AS held
                    WHERE held.sale_id = sales.id AND held.state = 'pending'
                      AND held.id >= ?1 AND held.id < ?2
                    ORDER BY held.id DESC LIMIT ?3)
ORDER BY orders.id DESC LIMIT ?3;

-- name: page_of_sale
-- Merged from the five stretches of the sale's index.
SELECT id FROM orders WHERE sale_id = ?4 AND state = 'pending' AND id >= ?1 AND id < ?2
UNION ALL
SELECT id FROM orders WHERE sale_id = ?4 AND state = 'paid' AND id >= ?1 AND id < ?2
UNION ALL
SELECT id FROM orders WHERE sale_id = ?4 AND state = 'expired' AND id >= ?1 AND id < ?2
UNION ALL
SELECT id FROM orders WHERE sale_id = ?4 AND state = 'cancelled' AND id >= ?1 AND id < ?2
UNION ALL
SELECT id FROM orders WHERE sale_id = ?4 AND state = 'refunded' AND id >= ?1 AND id < ?2
ORDER BY id DESC LIMIT ?3;

-- name: page_of_sale_in_state
SELECT id FROM orders
WHERE sale_id = ?4 AND state = ?5 AND id >= ?1 AND id < ?2
ORDER BY id DESC LIMIT ?3;

-- name: page_of_buyer
-- By way of the journal, which keeps a buyer's tickets together.
SELECT orders.id
FROM journal CROSS JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?4 AND journal.order_id >= ?1 AND journal.order_id < ?2
  AND (?5 IS NULL OR journal.sale_id = ?5) AND (?6 IS NULL OR orders.state = ?6)
ORDER BY orders.id DESC LIMIT ?3;

-- name: page_of_money
-- Orders with money that came for this reason to be sent back.
SELECT DISTINCT refunds.order_id
FROM refunds CROSS JOIN orders ON orders.id = refunds.order_id
WHERE refunds.reason = ?7 AND refunds.order_id >= ?1 AND refunds.order_id < ?2
  AND (?4 IS NULL OR orders.buyer_id = ?4) AND (?5 IS NULL OR orders.sale_id = ?5)
  AND (?6 IS NULL OR orders.state = ?6)
ORDER BY refunds.order_id DESC LIMIT ?3;

-- name: page_of_owed
SELECT DISTINCT refunds.order_id
FROM refunds CROSS JOIN orders ON orders.id = refunds.order_id
WHERE refunds.done_at IS NULL AND refunds.order_id >= ?1 AND refunds.order_id < ?2
  AND (?4 IS NULL OR orders.buyer_id = ?4) AND (?5 IS NULL OR orders.sale_id = ?5)
  AND (?6 IS NULL OR orders.state = ?6)
ORDER BY refunds.order_id DESC LIMIT ?3;

-- name: find_buyer_of_order
SELECT phone, name FROM users WHERE id = ?1;
