-- name: tally_orders
INSERT INTO order_tallies (sale_id, orders) VALUES (?1, ?2)
ON DUPLICATE KEY UPDATE orders = orders + VALUE(orders);

-- name: prune_points
DELETE FROM stats_points WHERE seconds = ?1 AND at < ?2 ORDER BY at LIMIT ?3;
