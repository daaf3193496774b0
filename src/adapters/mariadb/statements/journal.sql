-- name: list_wish
-- What came by the same pass or key stands in earlier_tickets, unless it is the latest.
SELECT buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, "key", claimed_at,
       same_as
FROM journal
WHERE buyer_id = ?1 AND sale_id = ?2 AND mark = ?3
UNION
SELECT journal.buyer_id, journal.sale_id, mark, quantity, epoch, state, reason, order_id, pass, "key",
       claimed_at, same_as
FROM holdings STRAIGHT_JOIN journal
  ON journal.buyer_id = holdings.buyer_id AND journal.sale_id = holdings.sale_id AND mark = latest
WHERE holdings.sale_id = ?2 AND holdings.buyer_id = ?1
UNION
SELECT journal.buyer_id, journal.sale_id, journal.mark, quantity, epoch, state, reason, order_id, pass,
       "key", claimed_at, same_as
FROM earlier_tickets STRAIGHT_JOIN journal
  ON journal.buyer_id = earlier_tickets.buyer_id AND journal.sale_id = earlier_tickets.sale_id
 AND journal.mark = earlier_tickets.mark
WHERE earlier_tickets.buyer_id = ?1 AND earlier_tickets.sale_id = ?2
  AND ((way = 1 AND value = ?4) OR (way = 2 AND value = ?5));

-- name: add_ticket
/* absent */ INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id,
                                  pass, "key", claimed_at, same_as)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);
