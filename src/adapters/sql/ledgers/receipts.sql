-- name: find_receipt
SELECT body_digest, answer FROM receipts WHERE scope = ?1 AND "key" = ?2 AND at > ?3;

-- name: keep_receipt
-- Replaces only what find_receipt no longer sees: a receipt whose day is over.
REPLACE INTO receipts (scope, "key", body_digest, answer, at) VALUES (?1, ?2, ?3, ?4, ?5);

-- name: prune_receipts
DELETE FROM receipts
WHERE rowid IN (SELECT rowid FROM receipts WHERE at < ?1 ORDER BY at LIMIT ?2);
