-- name: open_sandbox_account
/* absent */ INSERT INTO sandbox_bills (ref, payment_id, amount_cents, currency, created_at)
VALUES (?1, ?2, ?3, ?4, ?5);

-- name: press_sandbox_button
UPDATE sandbox_bills SET attempts = attempts + 1, paid = greatest(paid, ?2) WHERE ref = ?1;

-- name: prune_sandbox_letters
DELETE FROM sandbox_letters WHERE id < ?1 AND due_at IS NULL ORDER BY id LIMIT ?2;

-- name: prune_sandbox_accounts
-- By the payment's id, which grows with time.
DELETE FROM sandbox_bills WHERE payment_id < ?1 ORDER BY payment_id LIMIT ?2;
