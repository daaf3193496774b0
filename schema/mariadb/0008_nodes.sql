-- What several servers on one database share.

-- The part of a server in the ids that it makes, and when the server was last seen, in seconds since 1970 by the
-- database's clock. A part is given to another server only when its last one was not seen for five minutes.
CREATE TABLE IF NOT EXISTS ledger_nodes (
    part BIGINT PRIMARY KEY,
    process BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- `master`: by which master.key is recognised, so that no server works with another one. `pass_keys`: the keys of
-- passes for all servers, sealed with a key that is derived from master.key.
CREATE TABLE IF NOT EXISTS ledger_keys (
    name VARCHAR(32) PRIMARY KEY,
    value VARCHAR(8192) NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
