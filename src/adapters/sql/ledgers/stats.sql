-- name: list_totals
SELECT sale_id, node, visits, challenges, passes, attempts, claims, refusals, orders, paid, expired,
       at, backlog, p50_us, p90_us, p99_us, p999_us
FROM funnel_totals WHERE sale_id = ?1;

-- name: find_tally
-- One statement, and so one instant.
SELECT coalesce(orders, 0), coalesce(paid, 0), coalesce(expired, 0), stock_total, stock_left,
       stock_held, stock_sold
FROM sales LEFT JOIN order_tallies ON sale_id = sales.id
WHERE sales.id = ?1;

-- name: tally_orders
INSERT INTO order_tallies (sale_id, orders) VALUES (?1, ?2)
ON CONFLICT (sale_id) DO UPDATE SET orders = orders + excluded.orders;

-- name: put_totals
REPLACE INTO funnel_totals (sale_id, node, visits, challenges, passes, attempts, claims,
                            refusals, orders, paid, expired, at, backlog, p50_us, p90_us,
                            p99_us, p999_us)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17);

-- name: put_point
REPLACE INTO stats_points (seconds, sale_id, at, node, visits, challenges, passes, attempts,
                           claims, refusals, orders, paid, expired, stock_total,
                           stock_left, stock_held, stock_sold, backlog, p50_us, p90_us,
                           p99_us, p999_us)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
        ?21, ?22);

-- name: list_points
-- The limit is of instants, so that none is cut in the midst of its nodes.
SELECT sale_id, at, node, visits, challenges, passes, attempts, claims, refusals, orders, paid, expired,
       stock_total, stock_left, stock_held, stock_sold, backlog, p50_us, p90_us, p99_us, p999_us
FROM stats_points
WHERE seconds = ?1 AND sale_id = ?2 AND at >= ?3
  AND at <= (SELECT max(at) FROM (SELECT DISTINCT at FROM stats_points
                                  WHERE seconds = ?1 AND sale_id = ?2 AND at >= ?3 AND at < ?4
                                  ORDER BY at LIMIT ?5) AS instants)
ORDER BY at, node;

-- name: prune_points
DELETE FROM stats_points
WHERE (seconds, sale_id, at, node) IN (SELECT seconds, sale_id, at, node FROM stats_points
                                       WHERE seconds = ?1 AND at < ?2 ORDER BY at LIMIT ?3);
