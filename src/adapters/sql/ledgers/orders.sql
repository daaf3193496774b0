-- name: find_order
SELECT id, sale_id, item_id, buyer_id, mark, quantity, price_cents, currency, state, created_at,
       expires_at, paid_at
FROM orders WHERE id = ?1 AND (?2 IS NULL OR buyer_id = ?2);

-- name: has_failed_payment
-- Whether the latest one has failed.
SELECT 1 FROM (SELECT state FROM payments WHERE order_id = ?1 ORDER BY id DESC LIMIT 1) AS latest
WHERE state = 'failed';

-- name: list_orders
-- By way of the journal, which keeps a buyer's tickets together.
SELECT id, orders.sale_id, item_id, orders.buyer_id, orders.mark, orders.quantity, price_cents,
       currency, orders.state, created_at, expires_at, paid_at
FROM journal CROSS JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?1 AND journal.order_id < ?2
ORDER BY journal.order_id DESC
LIMIT ?3;

-- name: find_unpaid_holds
-- Bounded, since a buyer who is allowed many may have left as many.
SELECT count(*), max(at) FROM (
    SELECT orders.expires_at AS at
    FROM journal CROSS JOIN orders ON orders.id = journal.order_id
    WHERE journal.buyer_id = ?2 AND journal.sale_id = ?1 AND journal.state = 2
      AND orders.state IN ('expired', 'cancelled')
    LIMIT 1000
) AS unpaid;

-- name: list_live_sales
SELECT id, epoch, stock_left, hot_seq FROM sales
WHERE ended_at IS NULL AND (ends_at IS NULL OR ends_at > ?1)
ORDER BY id;

-- name: load_holdings
SELECT buyer_id, units FROM holdings WHERE sale_id = ?1;

-- name: find_ledger_name
SELECT name FROM ledger_name;

-- name: begin_epoch
UPDATE sales SET epoch = ?2 WHERE id = ?1;
