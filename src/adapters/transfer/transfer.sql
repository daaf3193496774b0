-- Statements for MariaDB, unless a name says that it is for SQLite.

-- name: make_state
-- While this table exists, rows are being put into the database, and no server and no command uses it
-- (expect_no_transfer() in src/adapters/mariadb/engine/migrate.cpp). `kept` is the file with what was in it before.
CREATE TABLE IF NOT EXISTS sluice_transfer (
    one TINYINT PRIMARY KEY,
    step VARCHAR(16) NOT NULL,
    fingerprint VARBINARY(32) NOT NULL,
    kept TEXT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- name: has_state
SELECT 1 FROM information_schema.tables
WHERE table_schema = database() AND table_name = 'sluice_transfer';

-- name: read_state
SELECT step, fingerprint, kept FROM sluice_transfer;

-- name: begin_state
INSERT INTO sluice_transfer (one, step, fingerprint, kept) VALUES (1, 'emptying', ?1, ?2);

-- name: set_step
UPDATE sluice_transfer SET step = ?1, fingerprint = ?2;

-- name: drop_state
DROP TABLE sluice_transfer;

-- name: lock_transfers
-- One that was killed holds it until the server has noticed that.
SELECT get_lock(concat('sluice.transfer.', md5(database())), 5);

-- name: list_others
-- Who else has the database open, as far as we may know: with our own name always.
SELECT concat(user, '@', host) FROM information_schema.processlist
WHERE db = database() AND id <> connection_id() ORDER BY id LIMIT 5;

-- name: holds_something
SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM items);

-- name: rename_ledger
-- Nobody takes a hot copy of the ledger before it for this one's.
UPDATE ledger_name SET name = random_bytes(16);

-- name: read_ledger_name
-- Also for SQLite.
SELECT name FROM ledger_name;

-- name: list_migrations
-- Also for SQLite.
SELECT version, name, applied_at FROM migrations ORDER BY version;

-- name: list_former_migrations
SELECT version, name, applied_at FROM former_migrations ORDER BY version;

-- name: forget_former_migrations
DELETE FROM former_migrations;

-- name: add_former_migration
INSERT INTO former_migrations (version, name, applied_at) VALUES (?1, ?2, ?3);

-- name: sqlite_date_migration
UPDATE migrations SET applied_at = ?3 WHERE version = ?1 AND name = ?2;

-- name: sqlite_date_all_migrations
UPDATE migrations SET applied_at = ?1;

-- name: sqlite_name_ledger
UPDATE ledger_name SET name = ?1;

-- name: sqlite_rename_ledger
UPDATE ledger_name SET name = randomblob(16);

-- name: sqlite_list_copied
-- Of which sales the archive has rows, whether they count or not.
SELECT sale_id FROM orders UNION SELECT sale_id FROM journal UNION SELECT sale_id FROM holdings;
