-- What operators watch: the funnel of each sale, and its history.

-- Orders by what became of them, counted with the orders themselves: those made by the ticket
-- writer, once for each batch; the others by the trigger below. An order that was paid and refunded
-- later counts as paid still.
CREATE TABLE order_tallies (
    sale_id INTEGER PRIMARY KEY REFERENCES sales (id),
    orders INTEGER NOT NULL DEFAULT 0 CHECK (orders >= 0),
    paid INTEGER NOT NULL DEFAULT 0 CHECK (paid >= 0),
    expired INTEGER NOT NULL DEFAULT 0 CHECK (expired >= 0)
) STRICT;

INSERT INTO order_tallies (sale_id, orders, paid, expired)
SELECT sale_id, count(*), count(paid_at), sum(state = 'expired') FROM orders GROUP BY sale_id;

CREATE TRIGGER orders_are_tallied AFTER UPDATE OF state ON orders
WHEN NEW.state <> OLD.state AND NEW.state IN ('paid', 'expired')
BEGIN
    INSERT INTO order_tallies (sale_id, paid, expired)
    VALUES (NEW.sale_id, NEW.state = 'paid', NEW.state = 'expired')
    ON CONFLICT (sale_id) DO UPDATE
    SET paid = paid + excluded.paid, expired = expired + excluded.expired;
END;

-- The funnel since the sale began, as far as it is in the history. Written once a minute.
CREATE TABLE funnel_totals (
    sale_id INTEGER PRIMARY KEY REFERENCES sales (id),
    visits INTEGER NOT NULL,
    challenges INTEGER NOT NULL,
    passes INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    refusals TEXT NOT NULL,
    orders INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    expired INTEGER NOT NULL
) STRICT;

-- A stretch of at most `seconds` (1 or 60) from `at` on: what was counted in it, and the stock,
-- backlog and latency at its end. Stretches in which nothing happened have no row.
CREATE TABLE stats_points (
    seconds INTEGER NOT NULL CHECK (seconds IN (1, 60)),
    sale_id INTEGER NOT NULL REFERENCES sales (id),
    at INTEGER NOT NULL,
    visits INTEGER NOT NULL,
    challenges INTEGER NOT NULL,
    passes INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    refusals TEXT NOT NULL,
    orders INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    stock_total INTEGER NOT NULL,
    stock_left INTEGER NOT NULL,
    stock_held INTEGER NOT NULL,
    stock_sold INTEGER NOT NULL,
    backlog INTEGER NOT NULL,
    p50_us INTEGER NOT NULL,
    p90_us INTEGER NOT NULL,
    p99_us INTEGER NOT NULL,
    p999_us INTEGER NOT NULL,
    PRIMARY KEY (seconds, sale_id, at)
) STRICT, WITHOUT ROWID;

CREATE INDEX stats_points_by_age ON stats_points (seconds, at);
