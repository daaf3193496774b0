-- Whom operators keep out, and what listing users needs.

-- The subject is a buyer's id, or an address or network in its one canonical form.
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    subject TEXT NOT NULL UNIQUE,
    reason TEXT NOT NULL,
    until INTEGER,
    at INTEGER NOT NULL,
    by_id INTEGER NOT NULL REFERENCES users (id)
) STRICT;

CREATE INDEX users_by_role ON users (role);
