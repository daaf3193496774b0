-- name: note_hold_network
/* absent */ INSERT INTO hold_networks (sale_id, mark, network, at) VALUES (?1, ?2, ?3, ?4);

-- name: prune_hold_networks
DELETE FROM hold_networks WHERE at < ?1 ORDER BY at LIMIT ?2;

-- name: prune_hold_networks_of_sale
DELETE FROM hold_networks WHERE sale_id = ?1 ORDER BY mark LIMIT ?2;
