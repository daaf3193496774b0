-- The key of the marks in the journal. It stays with them, so that a key of a purchase is recognised
-- also where a backup was restored without master.key.
CREATE TABLE ticket_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
