-- name: find_payment_for_update
SELECT id, order_id, provider, amount_cents, currency, state, provider_ref, pay_url, created_at
FROM payments WHERE id = ?1 FOR UPDATE;

-- name: find_refund_for_update
SELECT refunds.order_id, refunds.provider, attempts, done_at IS NOT NULL, charges.id, provider_ref,
       amount_cents, currency
FROM refunds JOIN charges ON charges.id = charge_id
WHERE charge_id = ?1 FOR UPDATE;

-- name: list_payment_events
-- By the order of their arrival, where SQLite has the rowid.
SELECT event_id, payment_id, type, outcome, at FROM (
    SELECT event_id, payment_id, type, outcome, at, arrival FROM payment_events
    WHERE payment_id IN (SELECT id FROM payments WHERE order_id = ?1)
    ORDER BY at DESC, arrival DESC
    LIMIT 100
) AS latest ORDER BY at, arrival DESC;
