-- Who there is, what is on sale, and who changed it. Times are milliseconds since 1970, in UTC.

CREATE TABLE migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    phone TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('buyer', 'operator', 'admin')),
    password_hash TEXT,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    key BLOB PRIMARY KEY CHECK (length(key) = 32),
    user_id INTEGER NOT NULL REFERENCES users (id),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE items (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    image_url TEXT NOT NULL,
    list_price_cents INTEGER NOT NULL CHECK (list_price_cents >= 0),
    currency TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version > 0),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sales (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    item_id INTEGER NOT NULL REFERENCES items (id),
    kind TEXT NOT NULL CHECK (kind IN ('flash', 'standing')),
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
    currency TEXT NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER CHECK (ends_at > starts_at),
    ended_at INTEGER,
    paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
    stock_total INTEGER NOT NULL CHECK (stock_total >= 0),
    stock_left INTEGER NOT NULL CHECK (stock_left >= 0),
    stock_held INTEGER NOT NULL CHECK (stock_held >= 0),
    stock_sold INTEGER NOT NULL CHECK (stock_sold >= 0),
    limit_per_buyer INTEGER NOT NULL CHECK (limit_per_buyer > 0),
    hold_seconds INTEGER NOT NULL CHECK (hold_seconds > 0),
    challenge TEXT NOT NULL CHECK (challenge IN ('none', 'math', 'pow')),
    gate_factor INTEGER NOT NULL CHECK (gate_factor > 0),
    version INTEGER NOT NULL CHECK (version > 0),
    created_at INTEGER NOT NULL,
    CHECK (stock_total = stock_left + stock_held + stock_sold)
) STRICT;

CREATE INDEX sales_by_item ON sales (item_id);

-- Not unique: a standing sale whose ends_at has passed is over, but no row says so.
CREATE INDEX sales_standing ON sales (item_id) WHERE kind = 'standing' AND ended_at IS NULL;

CREATE TABLE audit_trail (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    at INTEGER NOT NULL,
    actor_id INTEGER NOT NULL REFERENCES users (id),
    address TEXT NOT NULL,
    request_id TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    state_before TEXT NOT NULL,
    state_after TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_trail_is_not_edited BEFORE UPDATE ON audit_trail
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_trail_is_not_shortened BEFORE DELETE ON audit_trail
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TABLE receipts (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    body_digest BLOB NOT NULL CHECK (length(body_digest) = 32),
    answer TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT;

CREATE INDEX receipts_by_age ON receipts (at);

-- After a failed commit the writer fills and empties this row to learn whether the disk takes
-- writes again.
CREATE TABLE write_probe (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    filler BLOB NOT NULL
) STRICT;
