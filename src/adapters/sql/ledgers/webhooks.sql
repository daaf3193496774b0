-- name: count_webhooks
SELECT count(*) FROM webhooks WHERE deleted_at IS NULL;

-- name: add_webhook
-- Orders come with growing ids: whatever is newer than the newest of now, which may be archived, is
-- told of.
INSERT INTO webhooks (id, url, created_at, after_order)
VALUES (?1, ?2, ?3, max(coalesce((SELECT max(id) FROM orders), 0),
                        coalesce((SELECT max(last_order) FROM archived_sales), 0)));

-- name: add_webhook_want
INSERT INTO webhook_wants (type, webhook_id) VALUES (?1, ?2);

-- name: list_webhooks
SELECT id, url, created_at FROM webhooks WHERE deleted_at IS NULL ORDER BY id DESC;

-- name: find_webhook
SELECT id, url, created_at FROM webhooks WHERE id = ?1 AND deleted_at IS NULL;

-- name: list_webhook_wants
SELECT type FROM webhook_wants WHERE webhook_id = ?1;

-- name: delete_webhook
UPDATE webhooks SET deleted_at = ?2 WHERE id = ?1;

-- name: drop_webhook_wants
DELETE FROM webhook_wants WHERE webhook_id = ?1;

-- name: list_deliveries
SELECT webhook_id, event_id, type, webhook_deliveries.lane, at, state, attempts, due_at, tried_at,
       last_status, last_error, delivered_at
FROM webhook_deliveries CROSS JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND event_id < ?2 AND (?3 IS NULL OR state = ?3)
ORDER BY event_id DESC
LIMIT ?4;

-- name: list_pending_deliveries
-- By its own index: what is pending is few, or else the newest.
SELECT webhook_id, event_id, type, webhook_deliveries.lane, at, state, attempts, due_at, tried_at,
       last_status, last_error, delivered_at
FROM webhook_deliveries INDEXED BY webhook_deliveries_pending
CROSS JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'pending'
ORDER BY event_id DESC
LIMIT ?3;

-- name: list_dead_deliveries
SELECT webhook_id, event_id, type, webhook_deliveries.lane, at, state, attempts, due_at, tried_at,
       last_status, last_error, delivered_at
FROM webhook_deliveries INDEXED BY webhook_deliveries_dead
CROSS JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'dead'
ORDER BY event_id DESC
LIMIT ?3;

-- name: find_delivery
SELECT webhook_id, event_id, type, webhook_deliveries.lane, at, state, attempts, due_at, tried_at,
       last_status, last_error, delivered_at
FROM webhook_deliveries CROSS JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND event_id = ?2;

-- name: resend_delivery
UPDATE webhook_deliveries AS resent
SET state = 'pending', since = ?3, attempts = 0, resends = resends + 1,
    due_at = iif(EXISTS (SELECT 1 FROM webhook_deliveries AS earlier INDEXED BY webhook_deliveries_pending
                         WHERE earlier.webhook_id = ?1 AND earlier.lane = resent.lane
                           AND earlier.state = 'pending' AND earlier.event_id < ?2), NULL, ?3)
WHERE webhook_id = ?1 AND event_id = ?2;

-- name: hold_later_deliveries
UPDATE webhook_deliveries INDEXED BY webhook_deliveries_pending SET due_at = NULL
WHERE webhook_id = ?1 AND state = 'pending' AND event_id > ?2
  AND lane = (SELECT lane FROM webhook_deliveries WHERE webhook_id = ?1 AND event_id = ?2);

-- name: list_due_deliveries
SELECT event_id, attempts, since, at, type, webhook_deliveries.lane, stock_total, stock_left,
       stock_held, stock_sold
FROM webhook_deliveries CROSS JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND due_at <= ?2
ORDER BY due_at, event_id
LIMIT ?3;

-- name: next_due_delivery
SELECT min(due_at) FROM webhook_deliveries WHERE webhook_id = ?1 AND due_at > ?2;

-- name: note_attempt
UPDATE webhook_deliveries AS tried
SET state = ?3, attempts = attempts + 1, tried_at = ?4, last_status = ?6, last_error = ?7,
    delivered_at = iif(?3 = 'delivered', ?4, delivered_at),
    due_at = iif(EXISTS (SELECT 1 FROM webhook_deliveries AS earlier INDEXED BY webhook_deliveries_pending
                         WHERE earlier.webhook_id = ?1 AND earlier.lane = tried.lane
                           AND earlier.state = 'pending' AND earlier.event_id < ?2), NULL, ?5)
WHERE webhook_id = ?1 AND event_id = ?2 AND state = 'pending';

-- name: release_lane
-- The first that is pending behind the one that is done.
UPDATE webhook_deliveries SET due_at = ?3
WHERE webhook_id = ?1 AND due_at IS NULL
  AND event_id = (SELECT min(event_id)
                  FROM webhook_deliveries INDEXED BY webhook_deliveries_pending
                  WHERE webhook_id = ?1 AND state = 'pending'
                    AND lane = (SELECT lane FROM webhook_deliveries
                                WHERE webhook_id = ?1 AND event_id = ?2));

-- name: count_pending_deliveries
SELECT count(*), min(event_id) FROM webhook_deliveries WHERE state = 'pending';

-- name: list_webhooks_to_prune
SELECT id, deleted_at IS NOT NULL FROM webhooks;

-- name: prune_delivered
DELETE FROM webhook_deliveries
WHERE webhook_id = ?1
  AND event_id IN (SELECT event_id
                   FROM webhook_deliveries INDEXED BY webhook_deliveries_delivered
                   WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'delivered'
                   ORDER BY event_id LIMIT ?3);

-- name: prune_dead
DELETE FROM webhook_deliveries
WHERE webhook_id = ?1
  AND event_id IN (SELECT event_id FROM webhook_deliveries INDEXED BY webhook_deliveries_dead
                   WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'dead'
                   ORDER BY event_id LIMIT ?3);

-- name: prune_deliveries_of_deleted
DELETE FROM webhook_deliveries
WHERE webhook_id = ?1
  AND event_id IN (SELECT event_id FROM webhook_deliveries WHERE webhook_id = ?1 LIMIT ?2);

-- name: note_pruned
UPDATE webhooks SET pruned_to = max(pruned_to, ?2) WHERE id = ?1;

-- name: forget_webhook
DELETE FROM webhooks
WHERE id = ?1 AND deleted_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = ?1);
