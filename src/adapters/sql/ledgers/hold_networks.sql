-- name: note_hold_network
INSERT INTO hold_networks (sale_id, mark, network, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING;

-- name: prune_hold_networks
DELETE FROM hold_networks WHERE (sale_id, mark) IN (
    SELECT sale_id, mark FROM hold_networks WHERE at < ?1 ORDER BY at LIMIT ?2
);

-- name: find_over_sale_with_networks
SELECT id FROM sales
WHERE coalesce(ended_at, ends_at) < ?1
  AND EXISTS (SELECT 1 FROM hold_networks WHERE hold_networks.sale_id = sales.id)
ORDER BY id LIMIT 1;

-- name: prune_hold_networks_of_sale
DELETE FROM hold_networks WHERE sale_id = ?1 AND mark IN (
    SELECT mark FROM hold_networks WHERE sale_id = ?1 ORDER BY mark LIMIT ?2
);
