-- name: knows_archive
SELECT 1 FROM information_schema.tables
WHERE table_schema = database() AND table_name = 'archived_sales';

-- name: buyers_of_sale
SELECT buyer_id FROM orders WHERE sale_id = ?1
UNION
SELECT buyer_id FROM journal WHERE sale_id = ?1
UNION
SELECT buyer_id FROM holdings WHERE sale_id = ?1;

-- name: has_rows_of_buyer
SELECT 1 FROM journal WHERE sale_id = ?1 AND buyer_id = ?2
UNION ALL
SELECT 1 FROM holdings WHERE sale_id = ?1 AND buyer_id = ?2
LIMIT 1;

-- name: footprint_of_sale
SELECT (SELECT count(*) FROM orders WHERE sale_id = ?1),
       (SELECT count(*) FROM holdings STRAIGHT_JOIN journal
        ON journal.buyer_id = holdings.buyer_id AND journal.sale_id = holdings.sale_id
        WHERE holdings.sale_id = ?1),
       (SELECT count(*) FROM orders STRAIGHT_JOIN payments ON payments.order_id = orders.id
        WHERE sale_id = ?1),
       (SELECT count(*) FROM orders STRAIGHT_JOIN payments ON payments.order_id = orders.id
        STRAIGHT_JOIN payment_events ON payment_events.payment_id = payments.id
        WHERE sale_id = ?1),
       (SELECT count(*) FROM orders STRAIGHT_JOIN payments ON payments.order_id = orders.id
        STRAIGHT_JOIN charges ON charges.payment_id = payments.id
        STRAIGHT_JOIN refunds ON refunds.charge_id = charges.id
        WHERE sale_id = ?1);
