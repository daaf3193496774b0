-- name: list_archived
SELECT sale_id, digest FROM archived_sales WHERE ?1 IS NULL OR sale_id = ?1 ORDER BY sale_id;

-- name: is_archived
SELECT 1 FROM archived_sales WHERE sale_id = ?1;

-- name: count_archived
SELECT count(*) FROM archived_sales;

-- name: may_have_orders
-- Whether an archived sale, or this one, has an order from ?1 on.
SELECT 1 FROM archived_sales WHERE last_order >= ?1 AND (?2 IS NULL OR sale_id = ?2) LIMIT 1;

-- name: last_archiving
SELECT at FROM archived_sales ORDER BY at DESC LIMIT 1;

-- name: has_archived_order
SELECT 1 FROM orders LIMIT 1;

-- name: order_of_payment
SELECT order_id FROM payments WHERE id = ?1;

-- name: list_archivable
-- Sales that ended before ?1 and still have their rows in the ledger. An operator's end counts
-- before the window's.
SELECT id FROM sales
WHERE coalesce(ended_at, ends_at) < ?1 AND id NOT IN (SELECT sale_id FROM archived_sales)
ORDER BY coalesce(ended_at, ends_at);

-- name: archive_obstacle
-- The reason why the sale ?1 has to stay, at ?2 as the latest end.
SELECT 'there is no such sale' WHERE NOT EXISTS (SELECT 1 FROM sales WHERE id = ?1)
UNION ALL
SELECT 'it is archived already' WHERE EXISTS (SELECT 1 FROM archived_sales WHERE sale_id = ?1)
UNION ALL
SELECT 'it has not been over for long enough' FROM sales
WHERE id = ?1 AND coalesce(coalesce(ended_at, ends_at) >= ?2, 1)
UNION ALL
SELECT 'it holds units for pending orders' FROM sales WHERE id = ?1 AND stock_held > 0
UNION ALL
SELECT 'a ticket has no outcome yet' WHERE EXISTS (
    SELECT 1 FROM journal WHERE sale_id = ?1 AND state = 1)
UNION ALL
SELECT 'a ticket is parked' WHERE EXISTS (
    SELECT 1 FROM parked_tickets WHERE sale_id = ?1 AND decided = 0)
UNION ALL
SELECT 'money is still owed back' WHERE EXISTS (
    SELECT 1 FROM refunds JOIN orders ON orders.id = refunds.order_id
    WHERE done_at IS NULL AND sale_id = ?1)
UNION ALL
SELECT 'deliveries to webhooks about its orders are still kept' WHERE EXISTS (
    SELECT 1 FROM webhook_deliveries JOIN orders ON orders.id = lane WHERE sale_id = ?1)
LIMIT 1;

-- name: note_archived
INSERT INTO archived_sales (sale_id, at, orders, last_order, digest)
SELECT ?1, ?2, count(*), coalesce(max(id), 0), ?3 FROM orders WHERE sale_id = ?1;

-- name: forget_archived
DELETE FROM archived_sales WHERE sale_id = ?1;

-- name: list_leftovers
-- Archived sales of which the ledger has rows.
SELECT sale_id FROM archived_sales
WHERE EXISTS (SELECT 1 FROM holdings WHERE holdings.sale_id = archived_sales.sale_id)
   OR EXISTS (SELECT 1 FROM orders WHERE orders.sale_id = archived_sales.sale_id);

-- name: stock_of_sale
SELECT stock_total, stock_left, stock_held, stock_sold FROM sales WHERE id = ?1;
