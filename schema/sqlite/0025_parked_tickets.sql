-- Tickets that no writer could write, because their rows do not fit together. Somebody was told that they are
-- queued, so they wait here until an operator sends them again or refuses them
-- (docs/adr/0136-parked-tickets-stand-in-a-table.md). The row stays when the ticket is decided, and is not parked any
-- more. A ticket may have no other row, so it stands here whole.
CREATE TABLE parked_tickets (
    sale_id INTEGER NOT NULL,
    mark BLOB NOT NULL CHECK (length(mark) = 16),
    buyer_id INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    pass BLOB NOT NULL CHECK (length(pass) = 16),
    key BLOB CHECK (length(key) = 16),
    claimed_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    parked_at INTEGER NOT NULL,
    tried_at INTEGER NOT NULL,
    tries INTEGER NOT NULL CHECK (tries > 0),
    decided INTEGER NOT NULL DEFAULT 0 CHECK (decided IN (0, 1)),
    PRIMARY KEY (sale_id, mark)
) STRICT, WITHOUT ROWID;

CREATE INDEX parked_tickets_by_age ON parked_tickets (parked_at) WHERE decided = 0;

-- An operator may refuse a ticket that is parked. Its reason is 'conflict', and SQLite cannot change a CHECK.
CREATE TABLE journal_with_conflicts (
    buyer_id INTEGER NOT NULL,
    sale_id INTEGER NOT NULL,
    mark BLOB NOT NULL CHECK (length(mark) = 16),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    epoch INTEGER NOT NULL,
    state INTEGER NOT NULL CHECK (state IN (1, 2, 3)),
    reason TEXT CHECK (reason IN ('not_found', 'ended', 'paused', 'not_started', 'sold_out',
                                  'limit_reached', 'busy', 'conflict')),
    order_id INTEGER,
    pass BLOB NOT NULL CHECK (length(pass) = 16),
    key BLOB CHECK (length(key) = 16),
    claimed_at INTEGER NOT NULL,
    superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1)),
    same_as BLOB CHECK (length(same_as) = 16),
    PRIMARY KEY (buyer_id, sale_id, mark),
    CHECK ((state = 2) = (order_id IS NOT NULL)),
    CHECK ((state = 3) = (reason IS NOT NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO journal_with_conflicts (buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key,
                                    claimed_at, superseded, same_as)
SELECT buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key, claimed_at, superseded, same_as
FROM journal;

DROP TABLE journal;
ALTER TABLE journal_with_conflicts RENAME TO journal;

CREATE INDEX earlier_tickets_by_pass ON journal (buyer_id, sale_id, pass, superseded)
WHERE superseded = 1;
CREATE INDEX earlier_tickets_by_key ON journal (buyer_id, sale_id, key, superseded)
WHERE superseded = 1 AND key IS NOT NULL;
CREATE INDEX prepared_tickets ON journal (claimed_at) WHERE state = 1;
