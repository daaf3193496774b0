-- name: find_ticket
SELECT buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, "key", claimed_at,
       same_as
FROM journal WHERE buyer_id = ?1 AND sale_id = ?2 AND mark = ?3;

-- name: find_latest_ticket
SELECT buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, "key", claimed_at,
       same_as
FROM journal WHERE buyer_id = ?1 AND sale_id = ?2
 AND mark = (SELECT latest FROM holdings WHERE sale_id = ?2 AND buyer_id = ?1);

-- name: list_wish
-- The ticket ?3 itself, the buyer's latest, which is in no index, and what came by the same pass or
-- key: each by a key or an index, so that it costs the same however many tickets the buyer has.
SELECT buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, "key", claimed_at,
       same_as
FROM journal
WHERE buyer_id = ?1 AND sale_id = ?2 AND mark IN (
    SELECT ?3
    UNION ALL SELECT latest FROM holdings WHERE sale_id = ?2 AND buyer_id = ?1
    UNION ALL SELECT mark FROM journal
              WHERE buyer_id = ?1 AND sale_id = ?2 AND pass = ?4 AND superseded = 1
    UNION ALL SELECT mark FROM journal
              WHERE buyer_id = ?1 AND sale_id = ?2 AND "key" = ?5 AND superseded = 1
);

-- name: add_ticket
-- What is there already stands.
INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, "key",
                     claimed_at, same_as)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT DO NOTHING;

-- name: decide_ticket
UPDATE journal SET state = ?4, reason = ?5, order_id = ?6, same_as = ?7
WHERE buyer_id = ?1 AND sale_id = ?2 AND mark = ?3;

-- name: replace_latest
UPDATE holdings SET latest = ?3 WHERE sale_id = ?1 AND buyer_id = ?2;

-- name: supersede_ticket
UPDATE journal SET superseded = 1 WHERE buyer_id = ?1 AND sale_id = ?2 AND mark = ?3;

-- name: list_prepared
-- By their index, which holds nothing else. Those that are parked wait for an operator.
SELECT buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, "key", claimed_at,
       same_as
FROM journal
WHERE state = 1 AND NOT EXISTS (SELECT 1 FROM parked_tickets
                                WHERE parked_tickets.sale_id = journal.sale_id
                                  AND parked_tickets.mark = journal.mark AND decided = 0)
ORDER BY claimed_at LIMIT ?1;
