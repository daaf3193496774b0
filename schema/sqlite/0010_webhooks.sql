-- Whom we tell of orders and sales, and the outbox of what they are told. Triggers write it, in the
-- transaction of the change itself: no writer can forget to, and where nobody wants to hear of a
-- change it costs one look into an empty table (docs/adr/0034-triggers-write-the-outbox.md).

-- No secret is kept: it is derived from the installation's key and the webhook's id. One that is
-- deleted stays until its deliveries are gone, which takes many small transactions.
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    url TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    after_order INTEGER NOT NULL,
    pruned_to INTEGER NOT NULL DEFAULT 0,
    deleted_at INTEGER
) STRICT;

CREATE TABLE webhook_wants (
    type TEXT NOT NULL CHECK (type IN ('order.created', 'order.paid', 'order.expired',
                                       'order.cancelled', 'order.refunded', 'sale.sold_out',
                                       'sale.reopened')),
    webhook_id INTEGER NOT NULL REFERENCES webhooks (id),
    PRIMARY KEY (type, webhook_id)
) STRICT, WITHOUT ROWID;

-- What is told in order is a lane: an order by its id, a sale by its id below zero. The stock is as
-- the change left it; an order needs no copy, since its row and the event's type say it all.
CREATE TABLE webhook_events (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    lane INTEGER NOT NULL CHECK (lane <> 0),
    stock_total INTEGER,
    stock_left INTEGER,
    stock_held INTEGER,
    stock_sold INTEGER,
    CHECK ((lane < 0) = (stock_total IS NOT NULL))
) STRICT;

-- Milliseconds and twenty bits to count in: ids grow with every event and never come again, not even
-- when all rows are pruned or an older copy of the database is put back. Receivers go by them.
CREATE VIEW next_webhook_event AS
SELECT max(at << 20, last + 1) AS id, at
FROM (SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) AS at,
             coalesce((SELECT max(id) FROM webhook_events), 0) AS last);

-- Pending ones are due at an instant, or wait behind an earlier one of their lane. They are given up
-- by their age, counted from `since`.
CREATE TABLE webhook_deliveries (
    webhook_id INTEGER NOT NULL,
    event_id INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead')),
    since INTEGER NOT NULL,
    due_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    resends INTEGER NOT NULL DEFAULT 0 CHECK (resends >= 0),
    tried_at INTEGER,
    last_status INTEGER,
    last_error TEXT,
    delivered_at INTEGER,
    PRIMARY KEY (webhook_id, event_id),
    CHECK (due_at IS NULL OR state = 'pending'),
    CHECK (state <> 'delivered' OR delivered_at IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at)
WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (lane, webhook_id, event_id)
WHERE state = 'pending';
CREATE INDEX webhook_deliveries_delivered ON webhook_deliveries (webhook_id, event_id)
WHERE state = 'delivered';
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (webhook_id, event_id)
WHERE state = 'dead';

CREATE TRIGGER orders_are_told_of AFTER INSERT ON orders
WHEN EXISTS (SELECT 1 FROM webhook_wants WHERE type = 'order.created')
BEGIN
    INSERT INTO webhook_events (id, at, type, lane)
    SELECT id, at, 'order.created', NEW.id FROM next_webhook_event;
END;

CREATE TRIGGER order_states_are_told_of AFTER UPDATE OF state ON orders
WHEN NEW.state <> OLD.state
 AND EXISTS (SELECT 1 FROM webhook_wants WHERE type = 'order.' || NEW.state)
BEGIN
    INSERT INTO webhook_events (id, at, type, lane)
    SELECT id, at, 'order.' || NEW.state, NEW.id FROM next_webhook_event;
END;

-- Not of a sale that was ended: nothing reopens there.
CREATE TRIGGER sales_are_told_of AFTER UPDATE OF stock_left ON sales
WHEN (NEW.stock_left = 0) <> (OLD.stock_left = 0) AND NEW.ended_at IS NULL
 AND EXISTS (SELECT 1 FROM webhook_wants
             WHERE type = iif(NEW.stock_left = 0, 'sale.sold_out', 'sale.reopened'))
BEGIN
    INSERT INTO webhook_events (id, at, type, lane, stock_total, stock_left, stock_held, stock_sold)
    SELECT id, at, iif(NEW.stock_left = 0, 'sale.sold_out', 'sale.reopened'), -NEW.id,
           NEW.stock_total, NEW.stock_left, NEW.stock_held, NEW.stock_sold
    FROM next_webhook_event;
END;

-- The plus keeps SQLite from walking through all that a webhook was ever told.
CREATE TRIGGER webhook_events_are_addressed AFTER INSERT ON webhook_events
BEGIN
    INSERT INTO webhook_deliveries (webhook_id, event_id, lane, since, due_at)
    SELECT webhook_id, NEW.id, NEW.lane, NEW.at,
           iif(EXISTS (SELECT 1 FROM webhook_deliveries AS earlier
                       WHERE earlier.lane = NEW.lane AND earlier.state = 'pending'
                         AND +earlier.webhook_id = webhook_wants.webhook_id),
               NULL, NEW.at)
    FROM webhook_wants
    WHERE type = NEW.type;
END;

-- An event goes with the last of its deliveries, so that nobody has to look for those without any.
CREATE TRIGGER webhook_events_are_forgotten AFTER DELETE ON webhook_deliveries
WHEN NOT EXISTS (SELECT 1 FROM webhooks CROSS JOIN webhook_deliveries
                 ON webhook_id = webhooks.id AND event_id = OLD.event_id)
BEGIN
    DELETE FROM webhook_events WHERE id = OLD.event_id;
END;

CREATE TRIGGER webhook_events_are_not_edited BEFORE UPDATE ON webhook_events
BEGIN
    SELECT RAISE(ABORT, 'events are not edited');
END;
