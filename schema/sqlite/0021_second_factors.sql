-- What operators show besides their password. The secret is sealed with a key that is not in the database.

CREATE TABLE second_factors (
    user_id INTEGER PRIMARY KEY REFERENCES users (id),
    secret BLOB NOT NULL CHECK (length(secret) = 60),
    confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
    last_step INTEGER NOT NULL CHECK (last_step >= 0)
) STRICT;

CREATE TABLE recovery_codes (
    user_id INTEGER NOT NULL REFERENCES second_factors (user_id),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (user_id, digest)
) STRICT, WITHOUT ROWID;
