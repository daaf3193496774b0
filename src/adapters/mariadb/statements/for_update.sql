-- Each takes the place of the statement of its name without _for_update in a transaction that writes. It locks
-- at once for writing what is going to be changed: two that turn a shared lock into an exclusive one are a deadlock.

-- name: find_sale_for_update
-- The sale's row is what writers of its stock wait for.
SELECT id, item_id, kind, price_cents, currency, starts_at, ends_at, ended_at, paused,
       stock_total, stock_left, stock_held, stock_sold,
       limit_per_buyer, hold_seconds, challenge, gate_factor, epoch, version, created_at,
       challenge_bits, resumed_at, hot_seq, news_seq, unpaid_limit, challenge_alternative,
       name, campaign, tags, audience, listed_until, list_version
FROM sales WHERE id = ?1 FOR UPDATE;

-- name: find_hot_seq_for_update
SELECT hot_seq FROM sales WHERE id = ?1 FOR UPDATE;

-- name: find_order_for_update
SELECT id, sale_id, item_id, buyer_id, mark, quantity, price_cents, currency, state, created_at,
       expires_at, paid_at
FROM orders WHERE id = ?1 AND (?2 IS NULL OR buyer_id = ?2) FOR UPDATE;

-- name: find_order_delivery_for_update
SELECT state, carrier, number, changed_at FROM order_deliveries WHERE order_id = ?1 FOR UPDATE;

-- name: find_payment_for_update
SELECT id, order_id, provider, amount_cents, currency, state, provider_ref, pay_url, created_at
FROM payments WHERE id = ?1 FOR UPDATE;

-- name: find_refund_for_update
SELECT refunds.order_id, refunds.provider, attempts, done_at IS NOT NULL, charges.id, provider_ref,
       amount_cents, currency
FROM refunds JOIN charges ON charges.id = charge_id
WHERE charge_id = ?1 FOR UPDATE;

-- name: find_sandbox_account_for_update
SELECT ref, payment_id, amount_cents, currency, paid, attempts FROM sandbox_bills WHERE ref = ?1
FOR UPDATE;

-- name: find_units_for_update
SELECT units FROM holdings WHERE sale_id = ?1 AND buyer_id = ?2 FOR UPDATE;

-- name: find_user_for_update
SELECT id, phone, name, role, created_at FROM users WHERE id = ?1 FOR UPDATE;

-- name: list_due_for_update
SELECT id, sale_id, buyer_id, quantity, expires_at FROM orders
WHERE state = 'pending' AND expires_at <= ?1 AND expires_at >= ?3 AND (expires_at > ?3 OR id > ?4)
ORDER BY expires_at, id
LIMIT ?2 FOR UPDATE;
