-- A deed is done by a user over HTTP or by somebody at the command line, whom only the operating
-- system knows. The table is copied, because SQLite cannot drop NOT NULL from a column; ids and
-- links stay as they are.

CREATE TABLE new_audit_trail (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    at INTEGER NOT NULL,
    actor_id INTEGER REFERENCES users (id),
    os_user TEXT,
    address TEXT NOT NULL,
    request_id TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    state_before TEXT NOT NULL,
    state_after TEXT NOT NULL,
    CHECK ((actor_id IS NULL) <> (os_user IS NULL))
) STRICT;

INSERT INTO new_audit_trail (id, at, actor_id, address, request_id, action, subject, state_before,
                             state_after)
SELECT id, at, actor_id, address, request_id, action, subject, state_before, state_after
FROM audit_trail;

DROP TABLE audit_trail;
ALTER TABLE new_audit_trail RENAME TO audit_trail;

CREATE TRIGGER audit_trail_is_not_edited BEFORE UPDATE ON audit_trail
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_trail_is_not_shortened BEFORE DELETE ON audit_trail
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_trail_is_chained AFTER INSERT ON audit_trail
BEGIN
    INSERT INTO trail_chain (place, deed_id, hash)
    SELECT coalesce(max(place), 0) + 1, NEW.id,
           deed_hash(coalesce((SELECT hash FROM trail_chain ORDER BY place DESC LIMIT 1),
                              zeroblob(32)),
                     NEW.id, NEW.at, NEW.actor_id, NEW.address, NEW.request_id, NEW.action,
                     NEW.subject, NEW.state_before, NEW.state_after, NEW.os_user)
    FROM trail_chain;
END;
