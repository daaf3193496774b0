-- name: prune_receipts
DELETE FROM receipts WHERE at < ?1 ORDER BY at LIMIT ?2;
