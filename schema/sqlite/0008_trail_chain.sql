-- The audit trail as a chain: each deed's hash is over its fields and the hash before. deed_hash()
-- is the program's own, so that whatever adds a deed by other means is refused.

CREATE TABLE trail_chain (
    place INTEGER PRIMARY KEY CHECK (place > 0),
    deed_id INTEGER NOT NULL UNIQUE,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

INSERT INTO trail_chain (place, deed_id, hash)
WITH RECURSIVE
    ordered AS MATERIALIZED (SELECT row_number() OVER (ORDER BY id) AS place, * FROM audit_trail),
    chain (place, deed_id, hash) AS (
        SELECT 0, 0, zeroblob(32)
        UNION ALL
        SELECT ordered.place, id, deed_hash(hash, id, at, actor_id, address, request_id, action,
                                            subject, state_before, state_after)
        FROM chain JOIN ordered ON ordered.place = chain.place + 1
    )
SELECT place, deed_id, hash FROM chain WHERE place > 0;

CREATE TRIGGER audit_trail_is_chained AFTER INSERT ON audit_trail
BEGIN
    INSERT INTO trail_chain (place, deed_id, hash)
    SELECT coalesce(max(place), 0) + 1, NEW.id,
           deed_hash(coalesce((SELECT hash FROM trail_chain ORDER BY place DESC LIMIT 1),
                              zeroblob(32)),
                     NEW.id, NEW.at, NEW.actor_id, NEW.address, NEW.request_id, NEW.action,
                     NEW.subject, NEW.state_before, NEW.state_after)
    FROM trail_chain;
END;

CREATE TRIGGER trail_chain_is_not_edited BEFORE UPDATE ON trail_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER trail_chain_is_not_shortened BEFORE DELETE ON trail_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
