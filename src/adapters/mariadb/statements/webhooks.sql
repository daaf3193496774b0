-- name: add_webhook
-- Orders come with growing ids: whatever is newer than the newest of now, which may be archived, is
-- told of. The locks keep others from adding an order until this is committed.
INSERT INTO webhooks (id, url, created_at, after_order)
SELECT ?1, ?2, ?3, greatest(coalesce((SELECT max(id) FROM orders LOCK IN SHARE MODE), 0),
                            coalesce((SELECT max(last_order) FROM archived_sales), 0));

-- name: list_deliveries
SELECT webhook_id, event_id, type, webhook_deliveries.lane, at, state, attempts, due_at, tried_at,
       last_status, last_error, delivered_at
FROM webhook_deliveries STRAIGHT_JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND event_id < ?2 AND (?3 IS NULL OR state = ?3)
ORDER BY event_id DESC
LIMIT ?4;

-- name: list_pending_deliveries
SELECT webhook_id, event_id, type, webhook_deliveries.lane, at, state, attempts, due_at, tried_at,
       last_status, last_error, delivered_at
FROM webhook_deliveries FORCE INDEX (webhook_deliveries_by_state)
STRAIGHT_JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'pending'
ORDER BY event_id DESC
LIMIT ?3;

-- name: list_dead_deliveries
SELECT webhook_id, event_id, type, webhook_deliveries.lane, at, state, attempts, due_at, tried_at,
       last_status, last_error, delivered_at
FROM webhook_deliveries FORCE INDEX (webhook_deliveries_by_state)
STRAIGHT_JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'dead'
ORDER BY event_id DESC
LIMIT ?3;

-- name: resend_delivery
UPDATE webhook_deliveries AS resent
SET state = 'pending', since = ?3, attempts = 0, resends = resends + 1,
    due_at = CASE WHEN EXISTS (SELECT 1 FROM webhook_deliveries AS earlier
                               WHERE earlier.webhook_id = ?1 AND earlier.lane = resent.lane
                                 AND earlier.state = 'pending' AND earlier.event_id < ?2)
                  THEN NULL ELSE ?3 END
WHERE webhook_id = ?1 AND event_id = ?2;

-- name: hold_later_deliveries
UPDATE webhook_deliveries SET due_at = NULL
WHERE webhook_id = ?1 AND state = 'pending' AND event_id > ?2
  AND lane = (SELECT lane FROM webhook_deliveries WHERE webhook_id = ?1 AND event_id = ?2);

-- name: list_due_deliveries
SELECT event_id, attempts, since, at, type, webhook_deliveries.lane, stock_total, stock_left,
       stock_held, stock_sold
FROM webhook_deliveries STRAIGHT_JOIN webhook_events ON webhook_events.id = event_id
WHERE webhook_id = ?1 AND due_at <= ?2
ORDER BY due_at, event_id
LIMIT ?3;

-- name: note_attempt
UPDATE webhook_deliveries AS tried
SET state = ?3, attempts = attempts + 1, tried_at = ?4, last_status = ?6, last_error = ?7,
    delivered_at = CASE WHEN ?3 = 'delivered' THEN ?4 ELSE delivered_at END,
    due_at = CASE WHEN EXISTS (SELECT 1 FROM webhook_deliveries AS earlier
                               WHERE earlier.webhook_id = ?1 AND earlier.lane = tried.lane
                                 AND earlier.state = 'pending' AND earlier.event_id < ?2)
                  THEN NULL ELSE ?5 END
WHERE webhook_id = ?1 AND event_id = ?2 AND state = 'pending';

-- name: release_lane
UPDATE webhook_deliveries SET due_at = ?3
WHERE webhook_id = ?1 AND due_at IS NULL
  AND event_id = (SELECT min(waiting.event_id) FROM webhook_deliveries AS waiting
                  WHERE waiting.webhook_id = ?1 AND waiting.state = 'pending'
                    AND waiting.lane = (SELECT done.lane FROM webhook_deliveries AS done
                                        WHERE done.webhook_id = ?1 AND done.event_id = ?2));

-- name: count_pending_deliveries
-- By way of the webhooks, which are few: the index begins with them.
SELECT count(*), min(event_id)
FROM webhooks
STRAIGHT_JOIN webhook_deliveries FORCE INDEX (webhook_deliveries_by_state) ON webhook_id = webhooks.id
WHERE state = 'pending';

-- name: prune_delivered
DELETE FROM webhook_deliveries
WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'delivered'
ORDER BY event_id LIMIT ?3;

-- name: prune_dead
DELETE FROM webhook_deliveries
WHERE webhook_id = ?1 AND event_id < ?2 AND state = 'dead'
ORDER BY event_id LIMIT ?3;

-- name: prune_deliveries_of_deleted
DELETE FROM webhook_deliveries WHERE webhook_id = ?1 LIMIT ?2;

-- name: note_pruned
UPDATE webhooks SET pruned_to = greatest(pruned_to, ?2) WHERE id = ?1;
