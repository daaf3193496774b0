-- name: tally_orders
INSERT INTO order_tallies (sale_id, orders) VALUES (?1, ?2)
ON DUPLICATE KEY UPDATE orders = orders + VALUE(orders);

-- name: prune_points
DELETE stats_points FROM stats_points
JOIN (SELECT seconds, sale_id, at, node FROM stats_points FORCE INDEX (stats_points_by_age)
      WHERE seconds = ?1 AND at < ?2 ORDER BY at LIMIT ?3) AS oldest
  ON oldest.seconds = stats_points.seconds AND oldest.sale_id = stats_points.sale_id
 AND oldest.at = stats_points.at AND oldest.node = stats_points.node;
