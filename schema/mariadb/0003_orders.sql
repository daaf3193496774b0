-- Tickets, what buyers hold, and orders.

-- One row for each attempt to buy: 1 prepared, 2 committed, 3 rolled back. Its key keeps a buyer's
-- tickets together. No reference to users or sales, and no index whose pages a purchase would touch
-- at random: the tickets that are found by pass or key are in earlier_tickets.
CREATE TABLE IF NOT EXISTS journal (
    buyer_id BIGINT NOT NULL,
    sale_id BIGINT NOT NULL,
    mark VARBINARY(16) NOT NULL CHECK (octet_length(mark) = 16),
    quantity BIGINT NOT NULL CHECK (quantity > 0),
    epoch BIGINT NOT NULL,
    state TINYINT NOT NULL CHECK (state IN (1, 2, 3)),
    reason VARCHAR(16) CHECK (reason IN ('not_found', 'ended', 'paused', 'not_started', 'sold_out',
                                         'limit_reached', 'busy')),
    order_id BIGINT,
    pass VARBINARY(16) NOT NULL CHECK (octet_length(pass) = 16),
    `key` VARBINARY(16) CHECK (octet_length(`key`) = 16),
    claimed_at BIGINT NOT NULL,
    superseded TINYINT NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
    same_as VARBINARY(16) CHECK (octet_length(same_as) = 16),
    PRIMARY KEY (buyer_id, sale_id, mark),
    INDEX prepared_tickets (state, claimed_at),
    CONSTRAINT committed_tickets_have_orders CHECK ((state = 2) = (order_id IS NOT NULL)),
    CONSTRAINT rolled_back_tickets_have_reasons CHECK ((state = 3) = (reason IS NOT NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The two partial indexes of SQLite, earlier_tickets_by_pass and earlier_tickets_by_key, as a table
-- that triggers keep: only tickets behind which the buyer has a later one. So a buyer's first purchase
-- writes no page of it. `way` is 1 for a pass and 2 for a key.
CREATE TABLE IF NOT EXISTS earlier_tickets (
    buyer_id BIGINT NOT NULL,
    sale_id BIGINT NOT NULL,
    way TINYINT NOT NULL CHECK (way IN (1, 2)),
    value VARBINARY(16) NOT NULL,
    mark VARBINARY(16) NOT NULL,
    PRIMARY KEY (buyer_id, sale_id, way, value, mark)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TRIGGER IF NOT EXISTS journal_begins_earlier_tickets AFTER INSERT ON journal FOR EACH ROW
BEGIN
    IF NEW.superseded = 1 THEN
        INSERT INTO earlier_tickets (buyer_id, sale_id, way, value, mark)
        VALUES (NEW.buyer_id, NEW.sale_id, 1, NEW.pass, NEW.mark);
        IF NEW.`key` IS NOT NULL THEN
            INSERT INTO earlier_tickets (buyer_id, sale_id, way, value, mark)
            VALUES (NEW.buyer_id, NEW.sale_id, 2, NEW.`key`, NEW.mark);
        END IF;
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS journal_keeps_earlier_tickets AFTER UPDATE ON journal FOR EACH ROW
BEGIN
    IF OLD.superseded = 1 AND NOT (NEW.superseded = 1 AND NEW.buyer_id = OLD.buyer_id
            AND NEW.sale_id = OLD.sale_id AND NEW.mark = OLD.mark AND NEW.pass = OLD.pass
            AND NEW.`key` <=> OLD.`key`) THEN
        DELETE FROM earlier_tickets
        WHERE buyer_id = OLD.buyer_id AND sale_id = OLD.sale_id AND way = 1 AND value = OLD.pass
          AND mark = OLD.mark;
        DELETE FROM earlier_tickets
        WHERE buyer_id = OLD.buyer_id AND sale_id = OLD.sale_id AND way = 2 AND value = OLD.`key`
          AND mark = OLD.mark;
    END IF;
    IF NEW.superseded = 1 AND NOT (OLD.superseded = 1 AND NEW.buyer_id = OLD.buyer_id
            AND NEW.sale_id = OLD.sale_id AND NEW.mark = OLD.mark AND NEW.pass = OLD.pass
            AND NEW.`key` <=> OLD.`key`) THEN
        INSERT INTO earlier_tickets (buyer_id, sale_id, way, value, mark)
        VALUES (NEW.buyer_id, NEW.sale_id, 1, NEW.pass, NEW.mark);
        IF NEW.`key` IS NOT NULL THEN
            INSERT INTO earlier_tickets (buyer_id, sale_id, way, value, mark)
            VALUES (NEW.buyer_id, NEW.sale_id, 2, NEW.`key`, NEW.mark);
        END IF;
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS journal_ends_earlier_tickets AFTER DELETE ON journal FOR EACH ROW
BEGIN
    IF OLD.superseded = 1 THEN
        DELETE FROM earlier_tickets
        WHERE buyer_id = OLD.buyer_id AND sale_id = OLD.sale_id AND way = 1 AND value = OLD.pass
          AND mark = OLD.mark;
        DELETE FROM earlier_tickets
        WHERE buyer_id = OLD.buyer_id AND sale_id = OLD.sale_id AND way = 2 AND value = OLD.`key`
          AND mark = OLD.mark;
    END IF;
END;

-- Ids grow with time. The orders of a sale come in the order of time, so a purchase appends to pages
-- of the indexes that are warm anyway.
CREATE TABLE IF NOT EXISTS orders (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    sale_id BIGINT NOT NULL,
    item_id BIGINT NOT NULL,
    buyer_id BIGINT NOT NULL,
    mark VARBINARY(16) NOT NULL CHECK (octet_length(mark) = 16),
    quantity BIGINT NOT NULL CHECK (quantity > 0),
    price_cents BIGINT NOT NULL CHECK (price_cents >= 0),
    currency VARCHAR(16) NOT NULL,
    state VARCHAR(16) NOT NULL CHECK (state IN ('pending', 'paid', 'expired', 'cancelled', 'refunded')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    paid_at BIGINT,
    INDEX orders_by_due (state, expires_at),
    INDEX orders_by_sale (sale_id, state),
    INDEX orders_by_outcome (state),
    CONSTRAINT orders_have_sales FOREIGN KEY (sale_id) REFERENCES sales (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Units in a buyer's live orders of a sale. A row with none says that the buyer has history here.
CREATE TABLE IF NOT EXISTS holdings (
    sale_id BIGINT NOT NULL,
    buyer_id BIGINT NOT NULL,
    units BIGINT NOT NULL CHECK (units >= 0),
    latest VARBINARY(16) CHECK (octet_length(latest) = 16),
    PRIMARY KEY (sale_id, buyer_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The limit stands in the sale's row, so that raising it there is enough. It is read with a lock, or
-- else a limit could be cut while another transaction adds units.
CREATE TRIGGER IF NOT EXISTS holdings_begin_within_the_limit BEFORE INSERT ON holdings FOR EACH ROW
BEGIN
    IF NEW.units > 0 AND NEW.units > coalesce((SELECT limit_per_buyer FROM sales
                                               WHERE id = NEW.sale_id LOCK IN SHARE MODE), 0) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'more units than the sale allows one buyer';
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS holdings_grow_within_the_limit BEFORE UPDATE ON holdings FOR EACH ROW
BEGIN
    IF NEW.units > OLD.units AND NEW.units > coalesce((SELECT limit_per_buyer FROM sales
                                                       WHERE id = NEW.sale_id LOCK IN SHARE MODE), 0) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'more units than the sale allows one buyer';
    END IF;
END;

-- Orders by what became of them, counted with the orders themselves: those made by the ticket
-- writer, once for each batch; the others by the trigger below. An order that was paid and refunded
-- later counts as paid still.
CREATE TABLE IF NOT EXISTS order_tallies (
    sale_id BIGINT PRIMARY KEY,
    orders BIGINT NOT NULL DEFAULT 0 CHECK (orders >= 0),
    paid BIGINT NOT NULL DEFAULT 0 CHECK (paid >= 0),
    expired BIGINT NOT NULL DEFAULT 0 CHECK (expired >= 0),
    CONSTRAINT order_tallies_have_sales FOREIGN KEY (sale_id) REFERENCES sales (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TRIGGER IF NOT EXISTS orders_are_tallied AFTER UPDATE ON orders FOR EACH ROW
BEGIN
    IF NEW.state <> OLD.state AND NEW.state IN ('paid', 'expired') THEN
        INSERT INTO order_tallies (sale_id, paid, expired)
        VALUES (NEW.sale_id, NEW.state = 'paid', NEW.state = 'expired')
        ON DUPLICATE KEY UPDATE paid = paid + VALUE(paid), expired = expired + VALUE(expired);
    END IF;
END;

-- Sales that ended long ago, whose rows stand in the archive.
CREATE TABLE IF NOT EXISTS archived_sales (
    sale_id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    orders BIGINT NOT NULL CHECK (orders >= 0),
    last_order BIGINT NOT NULL,
    digest VARBINARY(32) NOT NULL CHECK (octet_length(digest) = 32),
    CONSTRAINT archived_sales_have_sales FOREIGN KEY (sale_id) REFERENCES sales (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TRIGGER IF NOT EXISTS limits_are_not_cut_below_what_is_held BEFORE UPDATE ON sales FOR EACH ROW
BEGIN
    IF NEW.limit_per_buyer < OLD.limit_per_buyer
       AND EXISTS (SELECT 1 FROM holdings WHERE sale_id = NEW.id AND units > NEW.limit_per_buyer
                   LOCK IN SHARE MODE) THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a buyer holds more units than the new limit';
    END IF;
END;

-- An archived sale has no holdings here, so nobody's limit would be known if it opened again. A
-- trigger of MariaDB does not know which columns an UPDATE names. So it refuses every change but the
-- three that the program makes without asking: the epoch and the two numbers.
CREATE TRIGGER IF NOT EXISTS archived_sales_are_not_changed BEFORE UPDATE ON sales FOR EACH ROW
FOLLOWS limits_are_not_cut_below_what_is_held
BEGIN
    IF NOT (NEW.item_id = OLD.item_id AND NEW.kind = OLD.kind AND NEW.price_cents = OLD.price_cents
            AND NEW.currency = OLD.currency AND NEW.starts_at = OLD.starts_at
            AND NEW.ends_at <=> OLD.ends_at AND NEW.ended_at <=> OLD.ended_at
            AND NEW.paused = OLD.paused AND NEW.stock_total = OLD.stock_total
            AND NEW.stock_left = OLD.stock_left AND NEW.stock_held = OLD.stock_held
            AND NEW.stock_sold = OLD.stock_sold AND NEW.limit_per_buyer = OLD.limit_per_buyer
            AND NEW.hold_seconds = OLD.hold_seconds AND NEW.challenge = OLD.challenge
            AND NEW.gate_factor = OLD.gate_factor AND NEW.version = OLD.version
            AND NEW.created_at = OLD.created_at AND NEW.challenge_bits <=> OLD.challenge_bits
            AND NEW.resumed_at <=> OLD.resumed_at AND NEW.unpaid_limit = OLD.unpaid_limit
            AND NEW.challenge_alternative = OLD.challenge_alternative)
       AND EXISTS (SELECT 1 FROM archived_sales WHERE sale_id = NEW.id LOCK IN SHARE MODE) THEN
        SIGNAL SQLSTATE '45000'
        SET MESSAGE_TEXT = 'the sale is archived: bring it back with `sluice archive --bring-back`';
    END IF;
END;

-- Of two views of a sale the one with the higher number is newer. Every committed change counts, also
-- by hand in SQL. hot_seq moves with the stock and has no news of its own.
CREATE TRIGGER IF NOT EXISTS sales_number_their_news BEFORE UPDATE ON sales FOR EACH ROW
FOLLOWS archived_sales_are_not_changed
BEGIN
    IF NEW.news_seq = OLD.news_seq AND NEW.hot_seq = OLD.hot_seq THEN
        SET NEW.news_seq = OLD.news_seq + 1;
    END IF;
END;

-- What the hot copies of the sales have to be told. The rows of a sale are numbered without a gap;
-- sales.hot_seq is the number of the last one. The id grows with time, so that old rows are found
-- from its beginning.
CREATE TABLE IF NOT EXISTS hot_outbox (
    id BIGINT PRIMARY KEY AUTO_INCREMENT,
    sale_id BIGINT NOT NULL,
    seq BIGINT NOT NULL CHECK (seq > 0),
    delta_left BIGINT NOT NULL,
    buyer_id BIGINT,
    delta_units BIGINT NOT NULL DEFAULT 0,
    at BIGINT NOT NULL,
    UNIQUE INDEX hot_outbox_by_sale (sale_id, seq),
    CONSTRAINT hot_outbox_has_sales FOREIGN KEY (sale_id) REFERENCES sales (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The ticket as buyers and operators see it, for the audit: as TicketId::text() in src/domain/ticket.cpp.
CREATE FUNCTION IF NOT EXISTS ticket_text(sale_id BIGINT, mark VARBINARY(16))
RETURNS VARCHAR(32) CHARSET utf8mb4 COLLATE utf8mb4_nopad_bin
DETERMINISTIC NO SQL
RETURN replace(replace(to_base64(concat(unhex(lpad(hex(sale_id), 16, '0')), rpad(mark, 16, x'00'))),
                       '+', '-'), '/', '_');
