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

-- name: knows_archive
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'archived_sales';

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

-- name: buyers_of_sale
SELECT buyer_id FROM main.orders WHERE sale_id = ?1
UNION
SELECT buyer_id FROM main.journal WHERE sale_id = ?1
UNION
SELECT buyer_id FROM main.holdings WHERE sale_id = ?1;

-- name: has_rows_of_buyer
SELECT 1 FROM main.journal WHERE sale_id = ?1 AND buyer_id = ?2
UNION ALL
SELECT 1 FROM main.holdings WHERE sale_id = ?1 AND buyer_id = ?2
LIMIT 1;

-- name: footprint_of_sale
-- In a sale that is over without pending orders a ticket adds to the journal, a refund to refunds,
-- and whatever a provider tells to payment_events. The journal is counted by its buyers: it has no
-- index by sale.
SELECT (SELECT count(*) FROM main.orders WHERE sale_id = ?1),
       (SELECT count(*) FROM main.holdings CROSS JOIN main.journal USING (sale_id, buyer_id)
        WHERE sale_id = ?1),
       (SELECT count(*) FROM main.orders CROSS JOIN main.payments ON payments.order_id = orders.id
        WHERE sale_id = ?1),
       (SELECT count(*) FROM main.orders CROSS JOIN main.payments ON payments.order_id = orders.id
        CROSS JOIN main.payment_events ON payment_events.payment_id = payments.id
        WHERE sale_id = ?1),
       (SELECT count(*) FROM main.orders CROSS JOIN main.payments ON payments.order_id = orders.id
        CROSS JOIN main.charges ON charges.payment_id = payments.id
        CROSS JOIN main.refunds ON refunds.charge_id = charges.id
        WHERE sale_id = ?1);

-- name: item_of_sale
SELECT * FROM items WHERE id = (SELECT item_id FROM sales WHERE id = ?1);

-- name: row_of_sale
SELECT * FROM sales WHERE id = ?1;

-- name: stock_of_sale
SELECT stock_total, stock_left, stock_held, stock_sold FROM sales WHERE id = ?1;
