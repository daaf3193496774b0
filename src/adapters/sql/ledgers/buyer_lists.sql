-- name: begin_buyer_list
INSERT INTO buyer_lists (sale_id, edition, listed, phones, changed_at) VALUES (?1, 1, 0, 0, ?2)
ON CONFLICT DO NOTHING;

-- name: find_buyer_list
SELECT edition, listed, phones, changed_at FROM buyer_lists WHERE sale_id = ?1;

-- name: list_buyer
INSERT INTO listed_buyers (sale_id, edition, phone, buyer_id) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT DO NOTHING;

-- name: update_buyer_list
UPDATE buyer_lists SET edition = ?2, listed = ?3, phones = ?4, changed_at = ?5 WHERE sale_id = ?1;

-- name: count_list_change
UPDATE sales SET list_version = list_version + 1 WHERE id = ?1;

-- name: find_listed_buyer
SELECT 1 FROM listed_buyers WHERE sale_id = ?1 AND edition = ?2 AND phone = ?3 AND buyer_id = ?4;

-- name: find_phone_of_user
SELECT phone FROM users WHERE id = ?1;

-- name: page_of_listed_ids
SELECT phone, buyer_id FROM listed_buyers
WHERE sale_id = ?1 AND edition = ?2 AND phone = '' AND buyer_id > ?3
ORDER BY buyer_id LIMIT ?4;

-- name: page_of_listed_phones
SELECT phone, buyer_id FROM listed_buyers
WHERE sale_id = ?1 AND edition = ?2 AND phone > ?3
ORDER BY phone LIMIT ?4;

-- name: find_list_with_former_rows
SELECT sale_id, edition FROM buyer_lists
WHERE EXISTS (SELECT 1 FROM listed_buyers
              WHERE listed_buyers.sale_id = buyer_lists.sale_id
                AND listed_buyers.edition < buyer_lists.edition)
ORDER BY sale_id LIMIT 1;

-- name: prune_former_list
DELETE FROM listed_buyers WHERE (sale_id, edition, phone, buyer_id) IN (
    SELECT sale_id, edition, phone, buyer_id FROM listed_buyers
    WHERE sale_id = ?1 AND edition < ?2
    ORDER BY edition, phone, buyer_id LIMIT ?3
);

-- name: find_lists_of_over_sales
SELECT buyer_lists.sale_id FROM buyer_lists JOIN sales ON sales.id = buyer_lists.sale_id
WHERE buyer_lists.listed > 0 AND coalesce(sales.ended_at, sales.ends_at) < ?1
ORDER BY buyer_lists.sale_id;

-- name: empty_buyer_list
UPDATE buyer_lists SET edition = edition + 1, listed = 0, phones = 0 WHERE sale_id = ?1;
