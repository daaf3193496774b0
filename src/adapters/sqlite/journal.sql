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

-- name: add_ticket_once
-- As add_ticket, but a pass buys once, under whatever keys it comes.
INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key,
                     claimed_at)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
WHERE NOT EXISTS (SELECT 1 FROM journal WHERE buyer_id = ?1 AND sale_id = ?2 AND pass = ?9)
ON CONFLICT DO NOTHING;

-- name: find_ticket_by_pass
SELECT sale_id, mark, state, quantity, order_id, reason, pass, key, claimed_at
FROM journal WHERE buyer_id = ?1 AND sale_id = ?2 AND pass = ?3
ORDER BY state LIMIT 1;

-- name: decide_ticket
UPDATE journal SET state = ?4, reason = ?5, order_id = ?6
WHERE buyer_id = ?1 AND sale_id = ?2 AND mark = ?3;
