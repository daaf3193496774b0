-- name: begin_buyer_list
/* absent */ INSERT INTO buyer_lists (sale_id, edition, listed, phones, changed_at) VALUES (?1, 1, 0, 0, ?2);

-- name: list_buyer
/* absent */ INSERT INTO listed_buyers (sale_id, edition, phone, buyer_id) VALUES (?1, ?2, ?3, ?4);

-- name: prune_former_list
DELETE FROM listed_buyers WHERE sale_id = ?1 AND edition < ?2
ORDER BY edition, phone, buyer_id LIMIT ?3;
