-- name: has_sale
SELECT 'another dialect' FROM sales WHERE id = ?1;

-- name: order_of_payment
-- A text of several lines, with a ; in it.
SELECT order_id
FROM payments WHERE id = ?1;
