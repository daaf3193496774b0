-- name: park_ticket
INSERT INTO parked_tickets (sale_id, mark, buyer_id, quantity, epoch, pass, "key", claimed_at, reason,
                            parked_at, tried_at, tries)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11 FROM DUAL
WHERE NOT EXISTS (SELECT 1 FROM journal
                  WHERE buyer_id = ?3 AND sale_id = ?1 AND mark = ?2 AND state <> 1)
ON DUPLICATE KEY UPDATE reason = VALUE(reason), tried_at = VALUE(tried_at),
                        tries = parked_tickets.tries + VALUE(tries), decided = 0;
