-- name: list_payment_events
-- By the order of their arrival, where SQLite has the rowid.
SELECT event_id, payment_id, type, outcome, at FROM (
    SELECT event_id, payment_id, type, outcome, at, arrival FROM payment_events
    WHERE payment_id IN (SELECT id FROM payments WHERE order_id = ?1)
    ORDER BY at DESC, arrival DESC
    LIMIT 100
) AS latest ORDER BY at, arrival DESC;
