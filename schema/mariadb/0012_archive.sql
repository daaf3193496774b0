-- The archive: the rows of sales that ended long ago, in tables of their own beside those of the running sales. The
-- columns are the same in the same order, so that rows go from one to the other with SELECT *. A row of
-- archived_sales, written or removed in one transaction, decides which tables are valid for a sale
-- (docs/adr/0180-a-mariadb-ledger-has-its-archive-in-tables.md).
--
-- Rows stand here as they were. No CHECK and no reference is repeated: what was taken by the ledger's tables is
-- copied, and the digest in archived_sales tells when a row was changed, put in or lost.
--
-- One more variable of the connection that triggers know:
--   @sluice_archives   1: rows move between the ledger and the archive. Then money may be removed from the ledger
--                      where the archive has the same row and the sale is archived, and rows may be removed from the
--                      archive where the sale is not archived.

CREATE TABLE IF NOT EXISTS archived_orders (
    id BIGINT PRIMARY KEY,
    sale_id BIGINT NOT NULL,
    item_id BIGINT NOT NULL,
    buyer_id BIGINT NOT NULL,
    mark VARBINARY(16) NOT NULL,
    quantity BIGINT NOT NULL,
    price_cents BIGINT NOT NULL,
    currency VARCHAR(16) NOT NULL,
    state VARCHAR(16) NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    paid_at BIGINT,
    INDEX archived_orders_by_sale (sale_id, state),
    INDEX archived_orders_by_outcome (state)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS archived_journal (
    buyer_id BIGINT NOT NULL,
    sale_id BIGINT NOT NULL,
    mark VARBINARY(16) NOT NULL,
    quantity BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    state TINYINT NOT NULL,
    reason VARCHAR(16),
    order_id BIGINT,
    pass VARBINARY(16) NOT NULL,
    `key` VARBINARY(16),
    claimed_at BIGINT NOT NULL,
    superseded TINYINT NOT NULL DEFAULT 0,
    same_as VARBINARY(16),
    PRIMARY KEY (buyer_id, sale_id, mark),
    INDEX archived_journal_by_sale (sale_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- As earlier_tickets: kept by triggers of archived_journal.
CREATE TABLE IF NOT EXISTS archived_earlier_tickets (
    buyer_id BIGINT NOT NULL,
    sale_id BIGINT NOT NULL,
    way TINYINT NOT NULL,
    value VARBINARY(16) NOT NULL,
    mark VARBINARY(16) NOT NULL,
    PRIMARY KEY (buyer_id, sale_id, way, value, mark)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS archived_holdings (
    sale_id BIGINT NOT NULL,
    buyer_id BIGINT NOT NULL,
    units BIGINT NOT NULL,
    latest VARBINARY(16),
    PRIMARY KEY (sale_id, buyer_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS archived_payments (
    id BIGINT PRIMARY KEY,
    order_id BIGINT NOT NULL,
    provider VARCHAR(128) NOT NULL,
    amount_cents BIGINT NOT NULL,
    currency VARCHAR(16) NOT NULL,
    state VARCHAR(16) NOT NULL,
    provider_ref VARCHAR(512),
    pay_url TEXT,
    created_at BIGINT NOT NULL,
    INDEX archived_payments_by_order (order_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS archived_charges (
    id BIGINT PRIMARY KEY,
    payment_id BIGINT NOT NULL,
    order_id BIGINT NOT NULL,
    provider VARCHAR(128) NOT NULL,
    provider_ref VARCHAR(512) NOT NULL,
    amount_cents BIGINT NOT NULL,
    currency VARCHAR(16) NOT NULL,
    captures TINYINT NOT NULL,
    at BIGINT NOT NULL,
    INDEX archived_charges_by_payment (payment_id),
    INDEX archived_charges_by_order (order_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS archived_refunds (
    charge_id BIGINT PRIMARY KEY,
    reason VARCHAR(16) NOT NULL,
    owed_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    next_attempt_at BIGINT,
    done_at BIGINT,
    provider VARCHAR(128) NOT NULL DEFAULT 'sandbox',
    order_id BIGINT NOT NULL DEFAULT 0,
    by_hand TINYINT NOT NULL DEFAULT 0,
    INDEX archived_refunds_by_order (order_id),
    INDEX archived_refunds_by_reason (reason, order_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- `arrival` is counted anew here. Within a sale it is the order in which the ledger got them.
CREATE TABLE IF NOT EXISTS archived_payment_events (
    provider VARCHAR(128) NOT NULL,
    event_id VARCHAR(512) NOT NULL,
    payment_id BIGINT NOT NULL,
    type VARCHAR(128) NOT NULL,
    outcome VARCHAR(16) NOT NULL,
    at BIGINT NOT NULL,
    arrival BIGINT NOT NULL AUTO_INCREMENT INVISIBLE,
    PRIMARY KEY (provider, event_id),
    UNIQUE INDEX archived_payment_events_by_arrival (arrival),
    INDEX archived_payment_events_by_payment (payment_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TRIGGER IF NOT EXISTS archived_journal_begins_earlier_tickets AFTER INSERT ON archived_journal FOR EACH ROW
BEGIN
    IF NEW.superseded = 1 THEN
        INSERT INTO archived_earlier_tickets (buyer_id, sale_id, way, value, mark)
        VALUES (NEW.buyer_id, NEW.sale_id, 1, NEW.pass, NEW.mark);
        IF NEW.`key` IS NOT NULL THEN
            INSERT INTO archived_earlier_tickets (buyer_id, sale_id, way, value, mark)
            VALUES (NEW.buyer_id, NEW.sale_id, 2, NEW.`key`, NEW.mark);
        END IF;
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS archived_journal_ends_earlier_tickets AFTER DELETE ON archived_journal FOR EACH ROW
BEGIN
    IF OLD.superseded = 1 THEN
        DELETE FROM archived_earlier_tickets
        WHERE buyer_id = OLD.buyer_id AND sale_id = OLD.sale_id AND way = 1 AND value = OLD.pass
          AND mark = OLD.mark;
        DELETE FROM archived_earlier_tickets
        WHERE buyer_id = OLD.buyer_id AND sale_id = OLD.sale_id AND way = 2 AND value = OLD.`key`
          AND mark = OLD.mark;
    END IF;
END;

-- Nobody edits an archived row, and only the archive's own move removes one, of a sale that is not archived.
CREATE TRIGGER IF NOT EXISTS archived_orders_are_not_edited BEFORE UPDATE ON archived_orders FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';

CREATE TRIGGER IF NOT EXISTS archived_orders_are_not_removed BEFORE DELETE ON archived_orders FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR EXISTS (SELECT 1 FROM archived_sales WHERE sale_id = OLD.sale_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS archived_journal_are_not_edited BEFORE UPDATE ON archived_journal FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';

CREATE TRIGGER IF NOT EXISTS archived_journal_are_not_removed BEFORE DELETE ON archived_journal FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR EXISTS (SELECT 1 FROM archived_sales WHERE sale_id = OLD.sale_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS archived_holdings_are_not_edited BEFORE UPDATE ON archived_holdings FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';

CREATE TRIGGER IF NOT EXISTS archived_holdings_are_not_removed BEFORE DELETE ON archived_holdings FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR EXISTS (SELECT 1 FROM archived_sales WHERE sale_id = OLD.sale_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS archived_payments_are_not_edited BEFORE UPDATE ON archived_payments FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';

CREATE TRIGGER IF NOT EXISTS archived_payments_are_not_removed BEFORE DELETE ON archived_payments FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR EXISTS (SELECT 1 FROM archived_orders JOIN archived_sales ON archived_sales.sale_id = archived_orders.sale_id
                  WHERE archived_orders.id = OLD.order_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS archived_charges_are_not_edited BEFORE UPDATE ON archived_charges FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';

CREATE TRIGGER IF NOT EXISTS archived_charges_are_not_removed BEFORE DELETE ON archived_charges FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR EXISTS (SELECT 1 FROM archived_payments
                  JOIN archived_orders ON archived_orders.id = archived_payments.order_id
                  JOIN archived_sales ON archived_sales.sale_id = archived_orders.sale_id
                  WHERE archived_payments.id = OLD.payment_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS archived_refunds_are_not_edited BEFORE UPDATE ON archived_refunds FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';

CREATE TRIGGER IF NOT EXISTS archived_refunds_are_not_removed BEFORE DELETE ON archived_refunds FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR EXISTS (SELECT 1 FROM archived_charges
                  JOIN archived_payments ON archived_payments.id = archived_charges.payment_id
                  JOIN archived_orders ON archived_orders.id = archived_payments.order_id
                  JOIN archived_sales ON archived_sales.sale_id = archived_orders.sale_id
                  WHERE archived_charges.id = OLD.charge_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS archived_payment_events_are_not_edited
BEFORE UPDATE ON archived_payment_events FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';

CREATE TRIGGER IF NOT EXISTS archived_payment_events_are_not_removed
BEFORE DELETE ON archived_payment_events FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR EXISTS (SELECT 1 FROM archived_payments
                  JOIN archived_orders ON archived_orders.id = archived_payments.order_id
                  JOIN archived_sales ON archived_sales.sale_id = archived_orders.sale_id
                  WHERE archived_payments.id = OLD.payment_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'archived rows stand as they are';
    END IF;
END;

-- Money leaves the ledger only for the archive: where the same row stands there, and the sale is archived.
CREATE OR REPLACE TRIGGER charges_are_not_removed BEFORE DELETE ON charges FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR NOT EXISTS (SELECT 1 FROM archived_charges
                      JOIN archived_payments ON archived_payments.id = archived_charges.payment_id
                      JOIN archived_orders ON archived_orders.id = archived_payments.order_id
                      JOIN archived_sales ON archived_sales.sale_id = archived_orders.sale_id
                      WHERE archived_charges.id = OLD.id AND archived_charges.payment_id = OLD.payment_id
                        AND archived_charges.amount_cents = OLD.amount_cents
                        AND archived_charges.captures = OLD.captures) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'charges are append-only';
    END IF;
END;

CREATE OR REPLACE TRIGGER refunds_are_not_removed BEFORE DELETE ON refunds FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR NOT EXISTS (SELECT 1 FROM archived_refunds
                      JOIN archived_charges ON archived_charges.id = archived_refunds.charge_id
                      JOIN archived_payments ON archived_payments.id = archived_charges.payment_id
                      JOIN archived_orders ON archived_orders.id = archived_payments.order_id
                      JOIN archived_sales ON archived_sales.sale_id = archived_orders.sale_id
                      WHERE archived_refunds.charge_id = OLD.charge_id
                        AND archived_refunds.done_at <=> OLD.done_at) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refunds are not removed';
    END IF;
END;

CREATE OR REPLACE TRIGGER payment_events_are_not_removed BEFORE DELETE ON payment_events FOR EACH ROW
BEGIN
    IF @sluice_archives IS NULL
       OR NOT EXISTS (SELECT 1 FROM archived_payment_events
                      JOIN archived_payments ON archived_payments.id = archived_payment_events.payment_id
                      JOIN archived_orders ON archived_orders.id = archived_payments.order_id
                      JOIN archived_sales ON archived_sales.sale_id = archived_orders.sale_id
                      WHERE archived_payment_events.provider = OLD.provider
                        AND archived_payment_events.event_id = OLD.event_id
                        AND archived_payment_events.payment_id = OLD.payment_id) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'payment events are append-only';
    END IF;
END;
