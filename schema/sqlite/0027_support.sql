-- The role support, and what finding users by name needs. SQLite cannot change a CHECK, so the rows are copied.

-- Sessions, second factors, deeds and blocks refer to users. Whether they still do is asked at the commit, when
-- all users are back.
PRAGMA defer_foreign_keys = ON;

-- For as long as the copying lasts: each user who goes and comes is looked for among those.
CREATE INDEX deeds_while_users_are_copied ON audit_trail (actor_id);
CREATE INDEX blocks_while_users_are_copied ON blocks (by_id);

CREATE TABLE users_before_support (
    id INTEGER PRIMARY KEY,
    phone TEXT,
    name TEXT,
    role TEXT,
    password_hash TEXT,
    created_at INTEGER
) STRICT;

INSERT INTO users_before_support (id, phone, name, role, password_hash, created_at)
SELECT id, phone, name, role, password_hash, created_at FROM users;

DROP TABLE users;

CREATE TABLE users (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    phone TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('buyer', 'support', 'operator', 'admin')),
    password_hash TEXT,
    created_at INTEGER NOT NULL
) STRICT;

INSERT INTO users (id, phone, name, role, password_hash, created_at)
SELECT id, phone, name, role, password_hash, created_at FROM users_before_support;

DROP TABLE users_before_support;
DROP INDEX deeds_while_users_are_copied;
DROP INDEX blocks_while_users_are_copied;

CREATE INDEX users_by_role ON users (role);
CREATE INDEX users_by_name ON users (name);
