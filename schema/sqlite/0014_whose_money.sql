-- A charge belongs to the provider that took it, and only that one sends it back. A refund repeats
-- provider and order of its charge, so that what one provider owes, and the orders with such money,
-- are each found by an index.

ALTER TABLE refunds ADD COLUMN provider TEXT NOT NULL DEFAULT 'sandbox';
ALTER TABLE refunds ADD COLUMN order_id INTEGER NOT NULL DEFAULT 0;
-- 1: an operator has noted that the money was sent back outside.
ALTER TABLE refunds ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1));

UPDATE refunds SET (provider, order_id) =
    (SELECT provider, order_id FROM charges WHERE charges.id = charge_id);

DROP INDEX refunds_owed;
CREATE INDEX refunds_owed ON refunds (provider, next_attempt_at) WHERE done_at IS NULL;
CREATE INDEX refunds_owed_by_order ON refunds (order_id) WHERE done_at IS NULL;
CREATE INDEX refunds_by_reason ON refunds (reason, order_id);
