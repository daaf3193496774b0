-- Tickets, what buyers hold, and orders.

-- Counts the times the hot copy was filled anew.
ALTER TABLE sales ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1 CHECK (epoch > 0);

-- One row for each attempt to buy: 1 prepared, 2 committed, 3 rolled back. Its key keeps a buyer's
-- tickets together, so that their tickets in a sale, their orders and a replay by pass or key are
-- found by it alone: a second index would cost a page written at random for every ticket.
-- No reference to users or sales, for the same reason: the writer has read the sale, and whoever
-- claims has a session.
CREATE TABLE journal (
    buyer_id INTEGER NOT NULL,
    sale_id INTEGER NOT NULL,
    mark BLOB NOT NULL CHECK (length(mark) = 16),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    epoch INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state IN (1, 2, 3)),
    reason TEXT CHECK (reason IN ('not_found', 'ended', 'paused', 'not_started', 'sold_out',
                                  'limit_reached', 'busy')),
    order_id INTEGER,
    pass BLOB NOT NULL CHECK (length(pass) = 16),
    key BLOB CHECK (length(key) = 16),
    claimed_at INTEGER NOT NULL,
    PRIMARY KEY (buyer_id, sale_id, mark),
    CHECK ((state = 2) = (order_id IS NOT NULL)),
    CHECK ((state = 3) = (reason IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- Ids grow with time: rows are only ever appended.
CREATE TABLE orders (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    sale_id INTEGER NOT NULL REFERENCES sales (id),
    item_id INTEGER NOT NULL,
    buyer_id INTEGER NOT NULL,
    mark BLOB NOT NULL CHECK (length(mark) = 16),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    currency TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'paid', 'expired', 'cancelled', 'refunded')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    paid_at INTEGER
) STRICT;

-- Units in a buyer's live orders of a sale. A row with none says that the buyer has history here.
CREATE TABLE holdings (
    sale_id INTEGER NOT NULL,
    buyer_id INTEGER NOT NULL,
    units INTEGER NOT NULL CHECK (units >= 0),
    PRIMARY KEY (sale_id, buyer_id)
) STRICT, WITHOUT ROWID;

-- The limit stands in the sale's row, so that raising it there is enough.
CREATE TRIGGER holdings_begin_within_the_limit BEFORE INSERT ON holdings
WHEN NEW.units > coalesce((SELECT limit_per_buyer FROM sales WHERE id = NEW.sale_id), 0)
BEGIN
    SELECT RAISE(ABORT, 'more units than the sale allows one buyer');
END;

CREATE TRIGGER holdings_grow_within_the_limit BEFORE UPDATE ON holdings
WHEN NEW.units > OLD.units
 AND NEW.units > coalesce((SELECT limit_per_buyer FROM sales WHERE id = NEW.sale_id), 0)
BEGIN
    SELECT RAISE(ABORT, 'more units than the sale allows one buyer');
END;

CREATE TRIGGER limits_are_not_cut_below_what_is_held BEFORE UPDATE OF limit_per_buyer ON sales
WHEN NEW.limit_per_buyer < OLD.limit_per_buyer
 AND EXISTS (SELECT 1 FROM holdings WHERE sale_id = NEW.id AND units > NEW.limit_per_buyer)
BEGIN
    SELECT RAISE(ABORT, 'a buyer holds more units than the new limit');
END;
