-- name: rename_ledger
UPDATE ledger_name SET name = random_bytes(16);

-- name: make_accepted
CREATE TEMPORARY TABLE accepted (promise TEXT NOT NULL, finding TEXT NOT NULL);

-- name: tell_accepted
SELECT json_object('accepted', json_arrayagg(json_object('promise', promise,
                                                         'findings', json_compact(findings))))
FROM (SELECT promise, json_arrayagg(finding) AS findings FROM accepted GROUP BY promise) AS promises;

-- name: find_orphan
-- The table of a row that refers to one which is not there. Rows that were loaded while
-- foreign_key_checks was off were not looked at.
SELECT 'sessions' FROM sessions LEFT JOIN users ON users.id = sessions.user_id
WHERE sessions.user_id IS NOT NULL AND users.id IS NULL
UNION ALL
SELECT 'second_factors' FROM second_factors LEFT JOIN users ON users.id = second_factors.user_id
WHERE second_factors.user_id IS NOT NULL AND users.id IS NULL
UNION ALL
SELECT 'recovery_codes' FROM recovery_codes LEFT JOIN second_factors ON second_factors.user_id = recovery_codes.user_id
WHERE recovery_codes.user_id IS NOT NULL AND second_factors.user_id IS NULL
UNION ALL
SELECT 'blocks' FROM blocks LEFT JOIN users ON users.id = blocks.by_id
WHERE blocks.by_id IS NOT NULL AND users.id IS NULL
UNION ALL
SELECT 'sales' FROM sales LEFT JOIN items ON items.id = sales.item_id
WHERE sales.item_id IS NOT NULL AND items.id IS NULL
UNION ALL
SELECT 'audit_trail' FROM audit_trail LEFT JOIN users ON users.id = audit_trail.actor_id
WHERE audit_trail.actor_id IS NOT NULL AND users.id IS NULL
UNION ALL
SELECT 'orders' FROM orders LEFT JOIN sales ON sales.id = orders.sale_id
WHERE orders.sale_id IS NOT NULL AND sales.id IS NULL
UNION ALL
SELECT 'order_tallies' FROM order_tallies LEFT JOIN sales ON sales.id = order_tallies.sale_id
WHERE order_tallies.sale_id IS NOT NULL AND sales.id IS NULL
UNION ALL
SELECT 'archived_sales' FROM archived_sales LEFT JOIN sales ON sales.id = archived_sales.sale_id
WHERE archived_sales.sale_id IS NOT NULL AND sales.id IS NULL
UNION ALL
SELECT 'hot_outbox' FROM hot_outbox LEFT JOIN sales ON sales.id = hot_outbox.sale_id
WHERE hot_outbox.sale_id IS NOT NULL AND sales.id IS NULL
UNION ALL
SELECT 'payments' FROM payments LEFT JOIN orders ON orders.id = payments.order_id
WHERE payments.order_id IS NOT NULL AND orders.id IS NULL
UNION ALL
SELECT 'charges' FROM charges LEFT JOIN payments ON payments.id = charges.payment_id
WHERE charges.payment_id IS NOT NULL AND payments.id IS NULL
UNION ALL
SELECT 'refunds' FROM refunds LEFT JOIN charges ON charges.id = refunds.charge_id
WHERE refunds.charge_id IS NOT NULL AND charges.id IS NULL
UNION ALL
SELECT 'payment_events' FROM payment_events LEFT JOIN payments ON payments.id = payment_events.payment_id
WHERE payment_events.payment_id IS NOT NULL AND payments.id IS NULL
UNION ALL
SELECT 'funnel_totals' FROM funnel_totals LEFT JOIN sales ON sales.id = funnel_totals.sale_id
WHERE funnel_totals.sale_id IS NOT NULL AND sales.id IS NULL
UNION ALL
SELECT 'stats_points' FROM stats_points LEFT JOIN sales ON sales.id = stats_points.sale_id
WHERE stats_points.sale_id IS NOT NULL AND sales.id IS NULL
UNION ALL
SELECT 'webhook_wants' FROM webhook_wants LEFT JOIN webhooks ON webhooks.id = webhook_wants.webhook_id
WHERE webhook_wants.webhook_id IS NOT NULL AND webhooks.id IS NULL
LIMIT 1;
