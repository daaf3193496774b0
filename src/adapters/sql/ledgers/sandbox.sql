-- name: open_sandbox_account
INSERT INTO sandbox_bills (ref, payment_id, amount_cents, currency, created_at)
VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (payment_id) DO NOTHING;

-- name: find_sandbox_account
SELECT ref, payment_id, amount_cents, currency, paid, attempts FROM sandbox_bills WHERE ref = ?1;

-- name: find_sandbox_account_of
SELECT ref, payment_id, amount_cents, currency, paid, attempts FROM sandbox_bills
WHERE payment_id = ?1;

-- name: press_sandbox_button
UPDATE sandbox_bills SET attempts = attempts + 1, paid = max(paid, ?2) WHERE ref = ?1;

-- name: add_sandbox_letter
INSERT INTO sandbox_letters (id, body, due_at) VALUES (?1, ?2, ?3);

-- name: has_sandbox_refund
SELECT 1 FROM sandbox_refunds WHERE "key" = ?1;

-- name: add_sandbox_refund
INSERT INTO sandbox_refunds ("key", charge, amount_cents, at) VALUES (?1, ?2, ?3, ?4);

-- name: list_due_letters
SELECT id, body, due_at, attempts FROM sandbox_letters
WHERE due_at IS NOT NULL AND due_at <= ?1
ORDER BY due_at
LIMIT ?2;

-- name: next_letter
SELECT min(due_at) FROM sandbox_letters WHERE due_at IS NOT NULL AND due_at > ?1;

-- name: note_letter_delivered
UPDATE sandbox_letters SET due_at = NULL, delivered_at = ?2, attempts = attempts + 1 WHERE id = ?1;

-- name: put_off_letter
UPDATE sandbox_letters SET due_at = ?2, attempts = attempts + 1 WHERE id = ?1;

-- name: prune_sandbox_letters
DELETE FROM sandbox_letters WHERE id IN (
    SELECT id FROM sandbox_letters WHERE id < ?1 AND due_at IS NULL ORDER BY id LIMIT ?2);

-- name: prune_sandbox_accounts
-- By the payment's id, which grows with time.
DELETE FROM sandbox_bills WHERE payment_id IN (
    SELECT payment_id FROM sandbox_bills WHERE payment_id < ?1 ORDER BY payment_id LIMIT ?2);
