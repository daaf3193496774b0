-- name: find_sale_for_update
-- The sale's row is what writers of its stock wait for.
SELECT id, item_id, kind, price_cents, currency, starts_at, ends_at, ended_at, paused,
       stock_total, stock_left, stock_held, stock_sold,
       limit_per_buyer, hold_seconds, challenge, gate_factor, epoch, version, created_at,
       challenge_bits, resumed_at, hot_seq, news_seq, unpaid_limit, challenge_alternative
FROM sales WHERE id = ?1 FOR UPDATE;
