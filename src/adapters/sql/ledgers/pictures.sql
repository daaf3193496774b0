-- name: find_picture
SELECT bytes FROM pictures WHERE hash = ?1;

-- name: count_pictures
SELECT count(*), CAST(coalesce(sum(bytes), 0) AS INTEGER) FROM pictures;

-- name: add_picture
INSERT INTO pictures (hash, bytes, added_at, used_at) VALUES (?1, ?2, ?3, ?3);

-- name: add_picture_size
INSERT INTO picture_sizes (hash, width, height, jpeg) VALUES (?1, ?2, ?3, ?4);

-- name: use_picture
UPDATE pictures SET used_at = ?2 WHERE hash = ?1 AND used_at < ?2;

-- name: find_picture_size
SELECT jpeg FROM picture_sizes WHERE hash = ?1 AND width = ?2;

-- name: list_item_pictures
-- Of items that show an uploaded one.
SELECT image_url, pictures FROM items
WHERE image_url LIKE '/pictures/%' OR pictures LIKE '%/pictures/%';

-- name: list_pictures_by_use
SELECT hash, used_at FROM pictures WHERE used_at < ?1 ORDER BY used_at, hash LIMIT ?2;

-- name: remove_picture_sizes
DELETE FROM picture_sizes
WHERE hash IN (SELECT hash FROM pictures WHERE hash = ?1 AND used_at < ?2);

-- name: remove_picture
DELETE FROM pictures WHERE hash = ?1 AND used_at < ?2;
