-- name: find_ticket
SELECT sale_id, mark, state, quantity, order_id, reason, pass, key, claimed_at
FROM journal WHERE buyer_id = ?1 AND sale_id = ?2 AND mark = ?3;

-- name: list_tickets
SELECT sale_id, mark, state, quantity, order_id, reason, pass, key, claimed_at
FROM journal WHERE buyer_id = ?1 AND sale_id = ?2
ORDER BY claimed_at DESC, order_id DESC;

-- name: add_ticket
-- What is there already stands.
INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key,
                     claimed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
ON CONFLICT DO NOTHING;

-- name: decide_ticket
UPDATE journal SET state = ?4, reason = ?5, order_id = ?6
WHERE buyer_id = ?1 AND sale_id = ?2 AND mark = ?3;
