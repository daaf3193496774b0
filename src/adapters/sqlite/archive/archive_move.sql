-- name: knows_archive
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'archived_sales';

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
