-- Whom we tell of orders and sales, and the outbox of what they are told. Triggers write it, in the
-- transaction of the change itself: no writer can forget to, and where nobody wants to hear of a
-- change it costs one look into an empty table.

CREATE TABLE IF NOT EXISTS webhooks (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    url TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    after_order BIGINT NOT NULL,
    pruned_to BIGINT NOT NULL DEFAULT 0,
    deleted_at BIGINT
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS webhook_wants (
    type VARCHAR(32) NOT NULL CHECK (type IN ('order.created', 'order.paid', 'order.expired',
                                              'order.cancelled', 'order.refunded', 'sale.sold_out',
                                              'sale.reopened')),
    webhook_id BIGINT NOT NULL,
    PRIMARY KEY (type, webhook_id),
    CONSTRAINT webhook_wants_have_webhooks FOREIGN KEY (webhook_id) REFERENCES webhooks (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- What is told in order is a lane: an order by its id, a sale by its id below zero. The stock is as
-- the change left it; an order needs no copy, since its row and the event's type say it all.
CREATE TABLE IF NOT EXISTS webhook_events (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    at BIGINT NOT NULL,
    type VARCHAR(32) NOT NULL,
    lane BIGINT NOT NULL CHECK (lane <> 0),
    stock_total BIGINT,
    stock_left BIGINT,
    stock_held BIGINT,
    stock_sold BIGINT,
    CONSTRAINT lanes_of_sales_have_stock CHECK ((lane < 0) = (stock_total IS NOT NULL))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Pending ones are due at an instant, or wait behind an earlier one of their lane. They are given up
-- by their age, counted from `since`.
CREATE TABLE IF NOT EXISTS webhook_deliveries (
    webhook_id BIGINT NOT NULL,
    event_id BIGINT NOT NULL,
    lane BIGINT NOT NULL,
    state VARCHAR(16) NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'dead')),
    since BIGINT NOT NULL,
    due_at BIGINT,
    attempts BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    resends BIGINT NOT NULL DEFAULT 0 CHECK (resends >= 0),
    tried_at BIGINT,
    last_status BIGINT,
    last_error TEXT,
    delivered_at BIGINT,
    PRIMARY KEY (webhook_id, event_id),
    INDEX webhook_deliveries_due (webhook_id, due_at),
    INDEX webhook_deliveries_by_lane (lane, state, webhook_id, event_id),
    INDEX webhook_deliveries_by_state (webhook_id, state, event_id),
    CONSTRAINT only_pending_deliveries_are_due CHECK (due_at IS NULL OR state = 'pending'),
    CONSTRAINT deliveries_are_dated CHECK (state <> 'delivered' OR delivered_at IS NOT NULL)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Milliseconds and twenty bits to count in. The ids of a lane grow with every event: receivers go by
-- them. SQLite counts from the last id of all. Here that would be a row which is locked until the
-- commit, and whoever changes an order before its sale would be in a deadlock with whoever does it the
-- other way round. A sequence is not locked, and the lane's own row is: so the next id of a lane is
-- above its last one, whichever connection writes it and whatever its clock says.
CREATE SEQUENCE IF NOT EXISTS webhook_event_numbers MINVALUE 0 MAXVALUE 1048575 START WITH 0 CYCLE ENGINE = InnoDB;

CREATE PROCEDURE IF NOT EXISTS add_webhook_event(event_type VARCHAR(32) CHARSET utf8mb4,
                                                 event_lane BIGINT, total BIGINT, stock BIGINT,
                                                 held BIGINT, sold BIGINT)
MODIFIES SQL DATA
BEGIN
    DECLARE now_ms BIGINT DEFAULT coalesce(
        CAST(@sluice_now_ms AS SIGNED),
        timestampdiff(MICROSECOND, '1970-01-01 00:00:00', utc_timestamp(3)) DIV 1000);
    DECLARE number BIGINT DEFAULT (now_ms << 20) + nextval(webhook_event_numbers);
    -- A new order has no event yet. Looking for one would lock the end of the index, where everybody
    -- who sells has to write.
    IF event_type <> 'order.created' THEN
        SET number = greatest(number, 1 + coalesce((SELECT max(event_id) FROM webhook_deliveries
                                                    WHERE lane = event_lane LOCK IN SHARE MODE), 0));
    END IF;
    INSERT INTO webhook_events (id, at, type, lane, stock_total, stock_left, stock_held, stock_sold)
    VALUES (number, now_ms, event_type, event_lane, total, stock, held, sold);
END;

CREATE TRIGGER IF NOT EXISTS orders_are_told_of AFTER INSERT ON orders FOR EACH ROW
BEGIN
    IF EXISTS (SELECT 1 FROM webhook_wants WHERE type = 'order.created') AND @sluice_copies IS NULL THEN
        CALL add_webhook_event('order.created', NEW.id, NULL, NULL, NULL, NULL);
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS order_states_are_told_of AFTER UPDATE ON orders FOR EACH ROW
FOLLOWS orders_are_tallied
BEGIN
    IF NEW.state <> OLD.state
       AND EXISTS (SELECT 1 FROM webhook_wants WHERE type = concat('order.', NEW.state)) THEN
        CALL add_webhook_event(concat('order.', NEW.state), NEW.id, NULL, NULL, NULL, NULL);
    END IF;
END;

-- Not of a sale that was ended: nothing reopens there.
CREATE TRIGGER IF NOT EXISTS sales_are_told_of AFTER UPDATE ON sales FOR EACH ROW
BEGIN
    IF (NEW.stock_left = 0) <> (OLD.stock_left = 0) AND NEW.ended_at IS NULL
       AND EXISTS (SELECT 1 FROM webhook_wants
                   WHERE type = if(NEW.stock_left = 0, 'sale.sold_out', 'sale.reopened')) THEN
        CALL add_webhook_event(if(NEW.stock_left = 0, 'sale.sold_out', 'sale.reopened'), -NEW.id,
                               NEW.stock_total, NEW.stock_left, NEW.stock_held, NEW.stock_sold);
    END IF;
END;

-- With a lock on what it reads: else a delivery that another transaction has just made would count as
-- pending still, and nobody would release what waits behind it.
CREATE TRIGGER IF NOT EXISTS webhook_events_are_addressed AFTER INSERT ON webhook_events FOR EACH ROW
BEGIN
    IF @sluice_copies IS NULL THEN
        INSERT INTO webhook_deliveries (webhook_id, event_id, lane, since, due_at)
        SELECT webhook_id, NEW.id, NEW.lane, NEW.at,
               if(NEW.type <> 'order.created'
                  AND EXISTS (SELECT 1 FROM webhook_deliveries AS earlier
                              WHERE earlier.lane = NEW.lane AND earlier.state = 'pending'
                                AND earlier.webhook_id = webhook_wants.webhook_id LOCK IN SHARE MODE),
                  NULL, NEW.at)
        FROM webhook_wants
        WHERE type = NEW.type;
    END IF;
END;

-- An event goes with the last of its deliveries, so that nobody has to look for those without any.
CREATE TRIGGER IF NOT EXISTS webhook_events_are_forgotten AFTER DELETE ON webhook_deliveries FOR EACH ROW
BEGIN
    IF NOT EXISTS (SELECT 1 FROM webhooks STRAIGHT_JOIN webhook_deliveries
                   ON webhook_id = webhooks.id AND event_id = OLD.event_id LOCK IN SHARE MODE) THEN
        DELETE FROM webhook_events WHERE id = OLD.event_id;
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS webhook_events_are_not_edited BEFORE UPDATE ON webhook_events FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'events are not edited';
