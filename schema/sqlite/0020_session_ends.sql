-- A session ends for good at ends_at, however often it is used. It is strong when a second factor was shown.
-- Sessions from before get thirty days from now on, roughly.

CREATE TABLE sessions_with_end (
    key BLOB PRIMARY KEY CHECK (length(key) = 32),
    user_id INTEGER NOT NULL REFERENCES users (id),
    expires_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL CHECK (ends_at >= expires_at),
    strong INTEGER NOT NULL DEFAULT 0 CHECK (strong IN (0, 1))
) STRICT, WITHOUT ROWID;

INSERT INTO sessions_with_end (key, user_id, expires_at, ends_at)
SELECT key, user_id, expires_at, expires_at + 2592000000 FROM sessions;

DROP TABLE sessions;
ALTER TABLE sessions_with_end RENAME TO sessions;

CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_by_user ON sessions (user_id);
