-- name: begin_holding
-- With the mark of the buyer's first ticket. Touches nothing when the buyer has history in the sale.
INSERT INTO holdings (sale_id, buyer_id, units, latest) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO NOTHING;

-- name: find_units
SELECT units FROM holdings WHERE sale_id = ?1 AND buyer_id = ?2;

-- name: hold_units
UPDATE holdings SET units = units + ?3 WHERE sale_id = ?1 AND buyer_id = ?2;

-- name: add_order
INSERT INTO orders (id, sale_id, item_id, buyer_id, mark, quantity, price_cents, currency, state,
                    created_at, expires_at, paid_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);

-- name: take_units
UPDATE sales SET stock_left = stock_left - ?2, stock_held = stock_held + ?2
WHERE id = ?1 AND stock_left >= ?2;
