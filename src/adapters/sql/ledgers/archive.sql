-- name: list_archived
SELECT sale_id, digest FROM archived_sales WHERE ?1 IS NULL OR sale_id = ?1 ORDER BY sale_id;

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
