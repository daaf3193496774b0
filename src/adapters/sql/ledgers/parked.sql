-- name: park_ticket
-- Unless the journal has its outcome. A ticket that is parked already has one more try.
INSERT INTO parked_tickets (sale_id, mark, buyer_id, quantity, epoch, pass, "key", claimed_at, reason,
                            parked_at, tried_at, tries)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11
WHERE NOT EXISTS (SELECT 1 FROM journal
                  WHERE buyer_id = ?3 AND sale_id = ?1 AND mark = ?2 AND state <> 1)
ON CONFLICT (sale_id, mark) DO UPDATE
SET reason = excluded.reason, tried_at = excluded.tried_at, tries = tries + excluded.tries, decided = 0;

-- name: find_parked
SELECT sale_id, mark, buyer_id, quantity, epoch, pass, "key", claimed_at, reason, parked_at, tries
FROM parked_tickets WHERE sale_id = ?1 AND mark = ?2 AND decided = 0;

-- name: find_formerly_parked
SELECT sale_id, mark, buyer_id, quantity, epoch, pass, "key", claimed_at, reason, parked_at, tries
FROM parked_tickets WHERE sale_id = ?1 AND mark = ?2 AND decided = 1;

-- name: list_parked
-- After ?1, ?2, ?3: the time and the ticket of the last one of the page before.
SELECT sale_id, mark, buyer_id, quantity, epoch, pass, "key", claimed_at, reason, parked_at, tries
FROM parked_tickets
WHERE decided = 0 AND parked_at >= ?1
  AND (parked_at > ?1 OR sale_id > ?2 OR (sale_id = ?2 AND mark > ?3))
ORDER BY parked_at, sale_id, mark LIMIT ?4;

-- name: count_parked
SELECT count(*) FROM parked_tickets WHERE decided = 0;

-- name: take_off_parked
UPDATE parked_tickets SET decided = 1 WHERE sale_id = ?1 AND mark = ?2 AND decided = 0;

-- name: count_prepared
SELECT count(*) FROM journal WHERE state = 1;
