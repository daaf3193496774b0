-- name: list_orders
SELECT id, orders.sale_id, item_id, orders.buyer_id, orders.mark, orders.quantity, price_cents,
       currency, orders.state, created_at, expires_at, paid_at
FROM journal STRAIGHT_JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?1 AND journal.order_id < ?2
ORDER BY journal.order_id DESC
LIMIT ?3;

-- name: find_unpaid_holds
SELECT count(*), max(at) FROM (
    SELECT orders.expires_at AS at
    FROM journal STRAIGHT_JOIN orders ON orders.id = journal.order_id
    WHERE journal.buyer_id = ?2 AND journal.sale_id = ?1 AND journal.state = 2
      AND orders.state IN ('expired', 'cancelled')
    LIMIT 1000
) AS unpaid;
