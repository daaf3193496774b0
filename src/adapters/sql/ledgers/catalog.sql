-- name: load_items
SELECT id, title, description, image_url, list_price_cents, currency, version, created_at,
       category, pictures, archived
FROM items ORDER BY id;

-- name: load_sales
SELECT id, item_id, kind, price_cents, currency, starts_at, ends_at, ended_at, paused,
       stock_total, stock_left, stock_held, stock_sold,
       limit_per_buyer, hold_seconds, challenge, gate_factor, epoch, version, created_at,
       challenge_bits, resumed_at, hot_seq, news_seq, unpaid_limit, challenge_alternative,
       name, campaign, tags, audience, listed_until, list_version
FROM sales ORDER BY id;

-- name: number_items
SELECT id, version FROM items;

-- name: number_sales
SELECT id, news_seq FROM sales;

-- name: find_item
SELECT id, title, description, image_url, list_price_cents, currency, version, created_at,
       category, pictures, archived
FROM items WHERE id = ?1;

-- name: find_sale
SELECT id, item_id, kind, price_cents, currency, starts_at, ends_at, ended_at, paused,
       stock_total, stock_left, stock_held, stock_sold,
       limit_per_buyer, hold_seconds, challenge, gate_factor, epoch, version, created_at,
       challenge_bits, resumed_at, hot_seq, news_seq, unpaid_limit, challenge_alternative,
       name, campaign, tags, audience, listed_until, list_version
FROM sales WHERE id = ?1;

-- name: add_item
INSERT INTO items (id, title, description, image_url, list_price_cents, currency, version,
                   created_at, category, pictures, archived)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11);

-- name: update_item
UPDATE items
SET title = ?2, description = ?3, image_url = ?4, list_price_cents = ?5, currency = ?6,
    version = ?7, category = ?8, pictures = ?9, archived = ?10
WHERE id = ?1 AND version = ?7 - 1;

-- name: find_sale_that_goes_on
SELECT id FROM sales
WHERE item_id = ?1 AND ended_at IS NULL AND (ends_at IS NULL OR ends_at > ?2)
LIMIT 1;

-- name: find_archived_item
SELECT id FROM items WHERE id = ?1 AND archived = 1;

-- name: find_other_standing_sale
SELECT id FROM sales
WHERE item_id = ?1 AND id <> ?2 AND kind = 'standing' AND ended_at IS NULL
  AND (ends_at IS NULL OR ends_at > ?3)
LIMIT 1;

-- name: add_sale
INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, ends_at, ended_at, paused,
                   stock_total, stock_left, stock_held, stock_sold,
                   limit_per_buyer, hold_seconds, challenge, gate_factor, epoch, version, created_at,
                   challenge_bits, resumed_at, hot_seq, news_seq, unpaid_limit, challenge_alternative,
                   name, campaign, tags, audience, listed_until, list_version)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
        ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32);

-- name: update_sale
UPDATE sales
SET version = ?2, price_cents = ?3, starts_at = ?4, ends_at = ?5, ended_at = ?6, paused = ?7,
    resumed_at = ?8, limit_per_buyer = ?9, hold_seconds = ?10, challenge = ?11, gate_factor = ?12,
    challenge_bits = ?13, unpaid_limit = ?14, challenge_alternative = ?15,
    name = ?16, campaign = ?17, tags = ?18, audience = ?19, listed_until = ?20
WHERE id = ?1;

-- name: change_stock
UPDATE sales SET stock_total = stock_total + ?2, stock_left = stock_left + ?2 WHERE id = ?1;
