-- How orders end: paid, expired, refunded; and every movement of money behind it.

-- Pending orders by the instant they are due. The orders of a sale come in the order of time, so a
-- purchase appends to a page that is warm anyway; an order that is decided leaves.
CREATE INDEX orders_by_due ON orders (expires_at) WHERE state = 'pending';

-- One attempt to pay an order at a provider. Where it is paid is noted once the provider has said so.
CREATE TABLE payments (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    provider TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    currency TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'captured', 'failed', 'refunded')),
    provider_ref TEXT,
    pay_url TEXT,
    created_at INTEGER NOT NULL,
    CHECK ((provider_ref IS NULL) = (pay_url IS NULL))
) STRICT;

CREATE INDEX payments_by_order ON payments (order_id);
CREATE UNIQUE INDEX payments_one_open ON payments (order_id) WHERE state = 'pending';

-- Money that a provider took, under its own name for it. It pays its order, or it is sent back.
CREATE TABLE charges (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    payment_id INTEGER NOT NULL REFERENCES payments (id),
    order_id INTEGER NOT NULL,
    provider TEXT NOT NULL,
    provider_ref TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
    currency TEXT NOT NULL,
    captures INTEGER NOT NULL CHECK (captures IN (0, 1)),
    at INTEGER NOT NULL,
    UNIQUE (provider, provider_ref)
) STRICT;

CREATE INDEX charges_by_payment ON charges (payment_id);
CREATE UNIQUE INDEX charges_one_capture ON charges (order_id) WHERE captures = 1;

CREATE TRIGGER charges_are_not_edited BEFORE UPDATE ON charges
BEGIN
    SELECT RAISE(ABORT, 'charges are append-only');
END;

CREATE TRIGGER charges_are_not_removed BEFORE DELETE ON charges
BEGIN
    SELECT RAISE(ABORT, 'charges are append-only');
END;

-- A charge is sent back once: its id is the refund's, here and towards the provider.
CREATE TABLE refunds (
    charge_id INTEGER PRIMARY KEY REFERENCES charges (id),
    reason TEXT NOT NULL CHECK (reason IN ('late', 'surplus', 'mismatch', 'operator')),
    owed_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    next_attempt_at INTEGER,
    done_at INTEGER,
    CHECK ((next_attempt_at IS NULL) = (done_at IS NOT NULL))
) STRICT;

CREATE INDEX refunds_owed ON refunds (next_attempt_at) WHERE done_at IS NULL;

CREATE TRIGGER refunds_are_not_removed BEFORE DELETE ON refunds
BEGIN
    SELECT RAISE(ABORT, 'refunds are not removed');
END;

-- What providers told us, each event once, and what came of it.
CREATE TABLE payment_events (
    provider TEXT NOT NULL,
    event_id TEXT NOT NULL,
    payment_id INTEGER NOT NULL REFERENCES payments (id),
    type TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('captured', 'refunded', 'failed', 'noted')),
    at INTEGER NOT NULL,
    PRIMARY KEY (provider, event_id)
) STRICT;

CREATE INDEX payment_events_by_payment ON payment_events (payment_id);

CREATE TRIGGER payment_events_are_not_edited BEFORE UPDATE ON payment_events
BEGIN
    SELECT RAISE(ABORT, 'payment events are append-only');
END;

CREATE TRIGGER payment_events_are_not_removed BEFORE DELETE ON payment_events
BEGIN
    SELECT RAISE(ABORT, 'payment events are append-only');
END;

-- The built-in provider's own books. The shop knows of them only what the provider tells it.
CREATE TABLE sandbox_bills (
    ref TEXT PRIMARY KEY,
    payment_id INTEGER NOT NULL UNIQUE,
    amount_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    paid INTEGER NOT NULL DEFAULT 0 CHECK (paid IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT;

-- What the provider has to tell the shop.
CREATE TABLE sandbox_letters (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    delivered_at INTEGER
) STRICT;

CREATE INDEX sandbox_letters_by_due ON sandbox_letters (due_at) WHERE due_at IS NOT NULL;

-- By the key that the shop gave, so that asking twice refunds once.
CREATE TABLE sandbox_refunds (
    key TEXT PRIMARY KEY,
    charge TEXT NOT NULL,
    amount_cents INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;
