-- The ledger on MariaDB 10.11 and newer: the tables of schema/sqlite/ with the same columns in the
-- same order, so that rows can be copied between both kinds. Times are milliseconds since 1970, in UTC.
--
-- How these files are read: a statement ends with a semicolon at the end of a line, and an empty line
-- or the end of the file follows. So there is no empty line inside a statement after such a line, and
-- DELIMITER is not needed. Lines that begin with two dashes between statements are comments.
-- MariaDB commits each statement by itself, so every statement can be run again: a migration that was
-- cut short is run again from its beginning.
--
-- sql_mode while they run: STRICT_ALL_TABLES, ANSI_QUOTES, PIPES_AS_CONCAT, NO_BACKSLASH_ESCAPES.
-- MariaDB keeps it with each trigger and function.
--
-- Variables of the connection that the triggers know:
--   @sluice_now_ms   the time for what triggers write; NULL: the server's clock.
--   @sluice_program  1: the connection is the program's, and may add deeds to the audit trail.
--   @sluice_copies   1: rows come from another ledger with all that triggers wrote there. Then no
--                    link of the trail, no event and no delivery is made. Limits and the append-only
--                    tables stay as strict as ever.
--
-- MariaDB has no partial index. Where a partial index is UNIQUE in SQLite, a generated column is NULL
-- in the rows that it leaves out. Such columns are INVISIBLE: SELECT * and an INSERT without a list of
-- columns see the columns that SQLite has.

CREATE TABLE IF NOT EXISTS migrations (
    version BIGINT PRIMARY KEY,
    name VARCHAR(255) NOT NULL,
    applied_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The migrations of the ledger that this one was copied from, if it was. The audit asks when deeds
-- began to be dated by their commit.
CREATE TABLE IF NOT EXISTS former_migrations (
    version BIGINT PRIMARY KEY,
    name VARCHAR(255) NOT NULL,
    applied_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS users (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    phone VARCHAR(64) NOT NULL,
    name TEXT NOT NULL,
    role VARCHAR(16) NOT NULL CHECK (role IN ('buyer', 'operator', 'admin')),
    password_hash TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE INDEX users_by_phone (phone),
    INDEX users_by_role (role)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- VARBINARY with a CHECK, because BINARY would fill up a short value with zeros and take it.
CREATE TABLE IF NOT EXISTS sessions (
    `key` VARBINARY(32) PRIMARY KEY CHECK (octet_length(`key`) = 32),
    user_id BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    strong TINYINT NOT NULL DEFAULT 0 CHECK (strong IN (0, 1)),
    network VARCHAR(64) NOT NULL DEFAULT '',
    INDEX sessions_by_expiry (expires_at),
    INDEX sessions_by_user (user_id),
    CONSTRAINT sessions_end_after_they_expire CHECK (ends_at >= expires_at),
    CONSTRAINT sessions_have_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS second_factors (
    user_id BIGINT PRIMARY KEY,
    secret VARBINARY(60) NOT NULL CHECK (octet_length(secret) = 60),
    confirmed TINYINT NOT NULL CHECK (confirmed IN (0, 1)),
    last_step BIGINT NOT NULL CHECK (last_step >= 0),
    CONSTRAINT second_factors_have_users FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS recovery_codes (
    user_id BIGINT NOT NULL,
    digest VARBINARY(32) NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (user_id, digest),
    CONSTRAINT recovery_codes_have_factors FOREIGN KEY (user_id) REFERENCES second_factors (user_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS blocks (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    subject VARCHAR(128) NOT NULL,
    reason TEXT NOT NULL,
    until BIGINT,
    at BIGINT NOT NULL,
    by_id BIGINT NOT NULL,
    UNIQUE INDEX blocks_by_subject (subject),
    CONSTRAINT blocks_have_users FOREIGN KEY (by_id) REFERENCES users (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS settings (
    name VARCHAR(255) PRIMARY KEY,
    value BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS receipts (
    scope VARCHAR(255) NOT NULL,
    `key` VARCHAR(255) NOT NULL,
    body_digest VARBINARY(32) NOT NULL CHECK (octet_length(body_digest) = 32),
    answer LONGTEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (scope, `key`),
    INDEX receipts_by_age (at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS items (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    title TEXT NOT NULL,
    description MEDIUMTEXT NOT NULL,
    image_url TEXT NOT NULL,
    list_price_cents BIGINT NOT NULL CHECK (list_price_cents >= 0),
    currency VARCHAR(16) NOT NULL,
    version BIGINT NOT NULL CHECK (version > 0),
    created_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS sales (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    item_id BIGINT NOT NULL,
    kind VARCHAR(16) NOT NULL CHECK (kind IN ('flash', 'standing')),
    price_cents BIGINT NOT NULL CHECK (price_cents >= 0),
    currency VARCHAR(16) NOT NULL,
    starts_at BIGINT NOT NULL,
    ends_at BIGINT,
    ended_at BIGINT,
    paused TINYINT NOT NULL CHECK (paused IN (0, 1)),
    stock_total BIGINT NOT NULL CHECK (stock_total >= 0),
    stock_left BIGINT NOT NULL CHECK (stock_left >= 0),
    stock_held BIGINT NOT NULL CHECK (stock_held >= 0),
    stock_sold BIGINT NOT NULL CHECK (stock_sold >= 0),
    limit_per_buyer BIGINT NOT NULL CHECK (limit_per_buyer > 0),
    hold_seconds BIGINT NOT NULL CHECK (hold_seconds > 0),
    challenge VARCHAR(16) NOT NULL CHECK (challenge IN ('none', 'math', 'pow')),
    gate_factor BIGINT NOT NULL CHECK (gate_factor > 0),
    version BIGINT NOT NULL CHECK (version > 0),
    created_at BIGINT NOT NULL,
    epoch BIGINT NOT NULL DEFAULT 1 CHECK (epoch > 0),
    challenge_bits BIGINT CHECK (challenge_bits BETWEEN 8 AND 28),
    resumed_at BIGINT,
    hot_seq BIGINT NOT NULL DEFAULT 0,
    news_seq BIGINT NOT NULL DEFAULT 0,
    unpaid_limit BIGINT NOT NULL DEFAULT 3 CHECK (unpaid_limit BETWEEN 1 AND 1000),
    challenge_alternative VARCHAR(16) NOT NULL DEFAULT 'none'
        CHECK (challenge_alternative IN ('none', 'pow')),
    INDEX sales_by_item (item_id),
    CONSTRAINT sales_end_after_they_start CHECK (ends_at > starts_at),
    CONSTRAINT sales_add_up CHECK (stock_total = stock_left + stock_held + stock_sold),
    CONSTRAINT sales_have_items FOREIGN KEY (item_id) REFERENCES items (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The key of the marks in the journal. It stays with them.
CREATE TABLE IF NOT EXISTS ticket_key (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    `key` VARBINARY(32) NOT NULL CHECK (octet_length(`key`) = 32)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- After a failed commit the writer fills and empties this row to learn whether the disk takes
-- writes again.
CREATE TABLE IF NOT EXISTS write_probe (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    filler LONGBLOB NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- The name of this ledger. A restored one gets another name, so that nobody takes a hot copy of the
-- ledger before it for its own.
CREATE TABLE IF NOT EXISTS ledger_name (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    name VARBINARY(16) NOT NULL CHECK (octet_length(name) = 16)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

INSERT INTO ledger_name (one, name)
SELECT 1, random_bytes(16) FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM ledger_name);
