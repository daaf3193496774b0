-- Who writes, and what the migrations have made.

-- Ordinary work locks this row first and keeps it until the commit (docs/adr/0090-work-takes-turns-purchases-do-not.md).
CREATE TABLE IF NOT EXISTS ledger_turn (
    one TINYINT PRIMARY KEY CHECK (one = 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

INSERT INTO ledger_turn (one)
SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM ledger_turn);

-- How often each thread of each process has committed, and when it last did, in seconds since 1970 by
-- the server's clock. A process that finds other counts than before knows that others have written.
CREATE TABLE IF NOT EXISTS ledger_writers (
    process BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    commits BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (process, seat)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Each table, column, index, trigger and so on as the server described it after the last migration, and the
-- server's version then. A start compares them with what is there.
CREATE TABLE IF NOT EXISTS schema_objects (
    kind VARCHAR(16) NOT NULL,
    name VARCHAR(192) NOT NULL,
    made_by VARCHAR(255) NOT NULL,
    description LONGTEXT NOT NULL,
    PRIMARY KEY (kind, name)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
