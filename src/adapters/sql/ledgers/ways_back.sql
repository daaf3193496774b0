-- name: change_order
UPDATE orders SET state = ?3 WHERE id = ?1 AND state = ?2;

-- name: expire_orders
-- In one statement: for each that may be taken back alone SQLite keeps copies of the pages that it
-- changes, and for 500 orders these were more than went into the ledger. ?1 is a list of ids.
UPDATE orders SET state = 'expired'
WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'pending';

-- name: return_held
UPDATE sales SET stock_left = stock_left + ?2, stock_held = stock_held - ?2 WHERE id = ?1;

-- name: return_sold
UPDATE sales SET stock_left = stock_left + ?2, stock_sold = stock_sold - ?2 WHERE id = ?1;

-- name: lower_holding
UPDATE holdings SET units = units - ?3 WHERE sale_id = ?1 AND buyer_id = ?2 AND units >= ?3;

-- name: next_due
SELECT expires_at FROM orders
WHERE state = 'pending' AND (expires_at, id) > (?1, ?2)
ORDER BY expires_at, id LIMIT 1;

-- name: list_due
SELECT id, sale_id, buyer_id, quantity, expires_at FROM orders
WHERE state = 'pending' AND expires_at <= ?1 AND (expires_at, id) > (?3, ?4)
ORDER BY expires_at, id
LIMIT ?2;
