-- Every movement of money behind the orders.

-- One attempt to pay an order at a provider. Where it is paid is noted once the provider has said so.
CREATE TABLE IF NOT EXISTS payments (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    order_id BIGINT NOT NULL,
    provider VARCHAR(128) NOT NULL,
    amount_cents BIGINT NOT NULL CHECK (amount_cents >= 0),
    currency VARCHAR(16) NOT NULL,
    state VARCHAR(16) NOT NULL CHECK (state IN ('pending', 'captured', 'failed', 'refunded')),
    provider_ref VARCHAR(512),
    pay_url TEXT,
    created_at BIGINT NOT NULL,
    open_order_id BIGINT AS (CASE WHEN state = 'pending' THEN order_id END) STORED INVISIBLE,
    INDEX payments_by_order (order_id),
    UNIQUE INDEX payments_one_open (open_order_id),
    CONSTRAINT bills_are_whole CHECK ((provider_ref IS NULL) = (pay_url IS NULL)),
    CONSTRAINT payments_have_orders FOREIGN KEY (order_id) REFERENCES orders (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Money that a provider took, under its own name for it. It pays its order, or it is sent back.
CREATE TABLE IF NOT EXISTS charges (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    payment_id BIGINT NOT NULL,
    order_id BIGINT NOT NULL,
    provider VARCHAR(128) NOT NULL,
    provider_ref VARCHAR(512) NOT NULL,
    amount_cents BIGINT NOT NULL CHECK (amount_cents >= 0),
    currency VARCHAR(16) NOT NULL,
    captures TINYINT NOT NULL CHECK (captures IN (0, 1)),
    at BIGINT NOT NULL,
    captured_order_id BIGINT AS (CASE WHEN captures = 1 THEN order_id END) STORED INVISIBLE,
    UNIQUE INDEX charges_by_ref (provider, provider_ref),
    INDEX charges_by_payment (payment_id),
    UNIQUE INDEX charges_one_capture (captured_order_id),
    INDEX charges_by_order (order_id),
    CONSTRAINT charges_have_payments FOREIGN KEY (payment_id) REFERENCES payments (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TRIGGER IF NOT EXISTS charges_are_not_edited BEFORE UPDATE ON charges FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'charges are append-only';

CREATE TRIGGER IF NOT EXISTS charges_are_not_removed BEFORE DELETE ON charges FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'charges are append-only';

-- A charge is sent back once: its id is the refund's, here and towards the provider. A refund repeats
-- provider and order of its charge. 1 in by_hand: an operator has noted that the money was sent back
-- outside.
CREATE TABLE IF NOT EXISTS refunds (
    charge_id BIGINT PRIMARY KEY,
    reason VARCHAR(16) NOT NULL CHECK (reason IN ('late', 'surplus', 'mismatch', 'operator')),
    owed_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    next_attempt_at BIGINT,
    done_at BIGINT,
    provider VARCHAR(128) NOT NULL DEFAULT 'sandbox',
    order_id BIGINT NOT NULL DEFAULT 0,
    by_hand TINYINT NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1)),
    INDEX refunds_owed (provider, next_attempt_at),
    INDEX refunds_owed_by_order (done_at, order_id),
    INDEX refunds_by_reason (reason, order_id),
    CONSTRAINT refunds_are_tried_until_done CHECK ((next_attempt_at IS NULL) = (done_at IS NOT NULL)),
    CONSTRAINT refunds_have_charges FOREIGN KEY (charge_id) REFERENCES charges (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TRIGGER IF NOT EXISTS refunds_are_not_removed BEFORE DELETE ON refunds FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refunds are not removed';

-- What providers told us, each event once, and what came of it. `arrival` is the order in which they
-- came, which SQLite has as the rowid.
CREATE TABLE IF NOT EXISTS payment_events (
    provider VARCHAR(128) NOT NULL,
    event_id VARCHAR(512) NOT NULL,
    payment_id BIGINT NOT NULL,
    type VARCHAR(128) NOT NULL,
    outcome VARCHAR(16) NOT NULL CHECK (outcome IN ('captured', 'refunded', 'failed', 'noted')),
    at BIGINT NOT NULL,
    arrival BIGINT NOT NULL AUTO_INCREMENT INVISIBLE,
    PRIMARY KEY (provider, event_id),
    UNIQUE INDEX payment_events_by_arrival (arrival),
    INDEX payment_events_by_payment (payment_id),
    CONSTRAINT payment_events_have_payments FOREIGN KEY (payment_id) REFERENCES payments (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TRIGGER IF NOT EXISTS payment_events_are_not_edited BEFORE UPDATE ON payment_events FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'payment events are append-only';

CREATE TRIGGER IF NOT EXISTS payment_events_are_not_removed BEFORE DELETE ON payment_events FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'payment events are append-only';

-- The built-in provider's own books. The shop knows of them only what the provider tells it.
CREATE TABLE IF NOT EXISTS sandbox_bills (
    ref VARCHAR(255) PRIMARY KEY,
    payment_id BIGINT NOT NULL,
    amount_cents BIGINT NOT NULL,
    currency VARCHAR(16) NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    paid TINYINT NOT NULL DEFAULT 0 CHECK (paid IN (0, 1)),
    created_at BIGINT NOT NULL,
    UNIQUE INDEX sandbox_bills_by_payment (payment_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- What the provider has to tell the shop.
CREATE TABLE IF NOT EXISTS sandbox_letters (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    body LONGTEXT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    due_at BIGINT,
    delivered_at BIGINT,
    INDEX sandbox_letters_by_due (due_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- By the key that the shop gave, so that asking twice refunds once.
CREATE TABLE IF NOT EXISTS sandbox_refunds (
    `key` VARCHAR(255) PRIMARY KEY,
    charge VARCHAR(512) NOT NULL,
    amount_cents BIGINT NOT NULL,
    at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
