-- name: find_payment
SELECT id, order_id, provider, amount_cents, currency, state, provider_ref, pay_url, created_at
FROM payments WHERE id = ?1;

-- name: find_open_payment
SELECT id, order_id, provider, amount_cents, currency, state, provider_ref, pay_url, created_at
FROM payments WHERE order_id = ?1 AND state = 'pending';

-- name: list_payments
SELECT id, order_id, provider, amount_cents, currency, state, provider_ref, pay_url, created_at
FROM payments WHERE order_id = ?1 ORDER BY id;

-- name: count_payments
SELECT count(*) FROM payments WHERE order_id = ?1;

-- name: add_payment
INSERT INTO payments (id, order_id, provider, amount_cents, currency, state, provider_ref, pay_url,
                      created_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: keep_bill
UPDATE payments SET provider_ref = ?2, pay_url = ?3 WHERE id = ?1 AND provider_ref IS NULL;

-- name: change_payment
UPDATE payments SET state = ?2 WHERE id = ?1;

-- name: pay_order
UPDATE orders SET state = 'paid', paid_at = ?2
WHERE id = ?1 AND state = 'pending' AND expires_at > ?2;

-- name: sell_held
UPDATE sales SET stock_held = stock_held - ?2, stock_sold = stock_sold + ?2 WHERE id = ?1;

-- name: has_charge
-- Under the same name for the same payment it is the same money, whoever tells of it.
SELECT 1 FROM charges WHERE provider = ?1 AND provider_ref = ?2
UNION ALL
SELECT 1 FROM charges WHERE payment_id = ?3 AND provider_ref = ?2;

-- name: add_charge
INSERT INTO charges (id, payment_id, order_id, provider, provider_ref, amount_cents, currency,
                     captures, at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);

-- name: find_capture
SELECT id, payment_id FROM charges WHERE order_id = ?1 AND captures = 1;

-- name: owe_refund
INSERT INTO refunds (charge_id, reason, owed_at, next_attempt_at, provider, order_id)
SELECT id, ?2, ?3, ?3, provider, order_id FROM charges WHERE id = ?1;

-- name: list_owed_refunds
SELECT payment_id, charges.id, provider_ref, amount_cents, currency, attempts
FROM refunds CROSS JOIN charges ON charges.id = charge_id
WHERE done_at IS NULL AND next_attempt_at <= ?2 AND refunds.provider = ?1
ORDER BY next_attempt_at
LIMIT ?3;

-- name: count_owed_refunds
SELECT provider, count(*) FROM refunds WHERE done_at IS NULL GROUP BY provider;

-- name: note_refunded
UPDATE refunds SET done_at = ?2, next_attempt_at = NULL, attempts = attempts + 1
WHERE charge_id = ?1 AND done_at IS NULL;

-- name: note_refund_told
-- Only a refund of this very payment, told by the provider that took its money: an event about
-- another one changes nothing.
UPDATE refunds SET done_at = ?3, next_attempt_at = NULL
WHERE charge_id = ?1 AND done_at IS NULL AND provider = ?4
  AND EXISTS (SELECT 1 FROM charges WHERE id = ?1 AND payment_id = ?2);

-- name: find_refund
SELECT refunds.order_id, refunds.provider, attempts, done_at IS NOT NULL, charges.id, provider_ref,
       amount_cents, currency
FROM refunds JOIN charges ON charges.id = charge_id
WHERE charge_id = ?1;

-- name: note_refund_by_hand
UPDATE refunds SET done_at = ?2, next_attempt_at = NULL, by_hand = 1
WHERE charge_id = ?1 AND done_at IS NULL;

-- name: put_off_refund
UPDATE refunds SET attempts = attempts + 1, next_attempt_at = ?2
WHERE charge_id = ?1 AND done_at IS NULL;

-- name: has_payment_event
SELECT 1 FROM payment_events WHERE provider = ?1 AND event_id = ?2
UNION ALL
SELECT 1 FROM payment_events WHERE payment_id = ?3 AND event_id = ?2;

-- name: add_payment_event
INSERT INTO payment_events (provider, event_id, payment_id, type, outcome, at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6);

-- name: list_money
SELECT charges.id, provider_ref, amount_cents, currency, payment_id, charges.provider, captures, at,
       reason, owed_at, attempts, done_at, by_hand
FROM charges LEFT JOIN refunds ON charge_id = charges.id
WHERE payment_id IN (SELECT id FROM payments WHERE order_id = ?1)
ORDER BY charges.id;

-- name: list_payment_events
SELECT * FROM (
    SELECT event_id, payment_id, type, outcome, at FROM payment_events
    WHERE payment_id IN (SELECT id FROM payments WHERE order_id = ?1)
    ORDER BY at DESC, rowid DESC
    LIMIT 100
) ORDER BY at;
