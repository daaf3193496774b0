-- What the hot copies of the sales have to be told: a row for each committed change that a copy has
-- not seen, written in the transaction of the change. The rows of a sale are numbered without a gap;
-- sales.hot_seq is the number of the last one. A copy that is filled has all rows up to the number
-- that was read with it.
ALTER TABLE sales ADD COLUMN hot_seq INTEGER NOT NULL DEFAULT 0;

-- The id grows with time, so that old rows are found from its beginning.
CREATE TABLE hot_outbox (
    id INTEGER PRIMARY KEY,
    sale_id INTEGER NOT NULL REFERENCES sales (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    delta_left INTEGER NOT NULL,
    buyer_id INTEGER,
    delta_units INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL,
    UNIQUE (sale_id, seq)
) STRICT;

-- The ticket that had decided the same wish, when this one was rolled back for it. The reason is
-- 'busy' then: this ticket itself decided nothing.
ALTER TABLE journal ADD COLUMN same_as BLOB CHECK (length(same_as) = 16);

-- The name of this ledger. A restored one gets another name, so that nobody takes a hot copy of the
-- ledger before it for its own.
CREATE TABLE ledger_name (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    name BLOB NOT NULL CHECK (length(name) = 16)
) STRICT;
INSERT INTO ledger_name VALUES (1, randomblob(16));

-- Tickets that a writer has to decide, the oldest claim first.
CREATE INDEX prepared_tickets ON journal (claimed_at) WHERE state = 1;
