-- name: audit_stock_matches_orders
WITH units AS (
    SELECT sale_id, sum(CASE WHEN state = 'pending' THEN quantity END) AS pending,
           sum(CASE WHEN state = 'paid' THEN quantity END) AS paid
    FROM orders
    WHERE ?1 IS NULL OR sale_id = ?1
    GROUP BY sale_id
)
SELECT 'stock_differs_from_orders',
       json_array(id, stock_held, stock_sold, coalesce(pending, 0), coalesce(paid, 0))
FROM sales LEFT JOIN units ON units.sale_id = sales.id
WHERE (?1 IS NULL OR id = ?1) AND id NOT IN (SELECT sale_id FROM archived_sales)
  AND (stock_held <> coalesce(pending, 0) OR stock_sold <> coalesce(paid, 0));

-- name: audit_windows
-- A ledger that was moved here has its migration among the former ones. One that began here has dated
-- deeds by their commit from the first on.
WITH ends AS (
    SELECT CAST(subject AS INTEGER) AS ended_sale, max(id) AS deed,
           CASE WHEN max(at) < (SELECT applied_at FROM former_migrations
                                WHERE name LIKE '%deeds_from_their_commit%')
                THEN 2000 ELSE 0 END AS grace
    FROM audit_trail
    WHERE action = 'sale.end'
    GROUP BY subject
)
SELECT sale_id, hex(mark),
       CASE WHEN claimed_at < starts_at THEN 'claimed_before_start'
            WHEN claimed_at >= ends_at THEN 'claimed_after_window'
            ELSE 'claimed_after_end' END,
       json_array(buyer_id, sale_id)
FROM journal JOIN sales ON sales.id = sale_id LEFT JOIN ends ON ended_sale = sale_id
WHERE journal.state = 2 AND (?1 IS NULL OR sale_id = ?1)
  AND (claimed_at < starts_at OR claimed_at >= ends_at
       OR (claimed_at > ended_at + grace AND order_id > deed));

-- name: audit_pauses
WITH pauses AS (
    SELECT CAST(pause.subject AS INTEGER) AS paused_sale, pause.id AS deed,
           pause.at + CASE WHEN pause.at < (SELECT applied_at FROM former_migrations
                                            WHERE name LIKE '%deeds_from_their_commit%')
                           THEN 2000 ELSE 0 END AS since,
           (SELECT at FROM audit_trail
            WHERE subject = pause.subject AND action = 'sale.resume' AND id > pause.id
            ORDER BY id LIMIT 1) AS until,
           lead(pause.id) OVER (PARTITION BY pause.subject ORDER BY pause.id) AS next_deed
    FROM audit_trail AS pause
    WHERE pause.action = 'sale.pause'
)
SELECT sale_id, hex(mark), 'claimed_in_pause', json_array(buyer_id, sale_id)
FROM journal JOIN pauses ON paused_sale = sale_id
WHERE state = 2 AND (?1 IS NULL OR sale_id = ?1)
  AND order_id > deed AND (next_deed IS NULL OR order_id < next_deed)
  AND claimed_at > since AND (until IS NULL OR claimed_at < until);

-- name: audit_owed
SELECT count(*), CAST(sum(charges.amount_cents) AS SIGNED), charges.currency, min(owed_at),
       charges.provider
FROM refunds JOIN charges ON charges.id = charge_id JOIN orders ON orders.id = charges.order_id
WHERE done_at IS NULL AND (?1 IS NULL OR sale_id = ?1)
GROUP BY charges.provider, charges.currency
ORDER BY charges.provider, charges.currency;

-- name: audit_accepted
-- What was accepted stands in the deed of its restore, and so in the chain.
SELECT findings.finding
FROM audit_trail,
     JSON_TABLE(CASE WHEN json_valid(state_after) THEN state_after ELSE '{}' END, '$.accepted[*]'
                COLUMNS (promise VARCHAR(255) PATH '$.promise',
                         NESTED PATH '$.findings[*]' COLUMNS (finding LONGTEXT PATH '$'))) AS findings
WHERE action = 'ledger.restore' AND findings.promise = ?1 AND findings.finding IS NOT NULL;
