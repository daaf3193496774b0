-- name: take_turn
-- Held until the commit. Ordinary work reads before it writes, so that two transactions at once would
-- often be undone for each other; one after the other neither is.
SELECT one FROM ledger_turn WHERE one = 1 FOR UPDATE;

-- name: note_commit
-- Each writer has a row of its own, so nobody waits for it.
INSERT INTO ledger_writers (process, seat, commits, seen_at)
VALUES (?1, ?2, 1, unix_timestamp())
ON DUPLICATE KEY UPDATE commits = commits + 1, seen_at = unix_timestamp();

-- name: count_commits_of_others
SELECT CAST(coalesce(sum(commits), 0) AS SIGNED) FROM ledger_writers WHERE process <> ?1;

-- name: forget_old_writers
-- Processes that have not written for a day; one that still runs comes back with its next commit.
DELETE FROM ledger_writers WHERE seen_at < unix_timestamp() - 86400 LIMIT 1000;

-- name: list_nodes
-- Those not seen for the longest time first.
SELECT part, seen_at < unix_timestamp() - 300 FROM ledger_nodes ORDER BY seen_at, part;

-- name: put_node
REPLACE INTO ledger_nodes (part, process, seen_at) VALUES (?1, ?2, unix_timestamp());

-- name: renew_node
UPDATE ledger_nodes SET seen_at = unix_timestamp() WHERE part = ?1 AND process = ?2;

-- name: count_nodes
SELECT count(*) FROM ledger_nodes WHERE part = ?1 AND process = ?2;

-- name: find_ledger_key
SELECT value FROM ledger_keys WHERE name = ?1;

-- name: put_ledger_key
REPLACE INTO ledger_keys (name, value) VALUES (?1, ?2);

-- name: empty_probe
DELETE FROM write_probe;

-- name: read_settings
SELECT version(), @@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog, @@binlog_format,
       @@max_allowed_packet, @@max_connections, @@read_only, @@innodb_doublewrite, @@sql_mode,
       @@character_set_connection;

-- name: read_clock
SELECT CAST(unix_timestamp(sysdate(3)) * 1000 AS SIGNED);

-- name: lock_migrations
SELECT get_lock(concat('sluice.migrate.', md5(database())), ?1);

-- name: unlock_migrations
SELECT release_lock(concat('sluice.migrate.', md5(database())));

-- name: list_migrations
SELECT version, name FROM migrations ORDER BY version;

-- name: note_migration
INSERT INTO migrations (version, name, applied_at) VALUES (?1, ?2, ?3);

-- name: forget_objects
DELETE FROM schema_objects;

-- name: note_object
INSERT INTO schema_objects (kind, name, made_by, description) VALUES (?1, ?2, version(), ?3);

-- name: list_noted_objects
SELECT kind, name, made_by, description FROM schema_objects ORDER BY kind, name;

-- name: read_version
SELECT version();

-- name: lock_sale
SELECT id FROM sales WHERE id = ?1 FOR UPDATE;

-- name: find_known_buyers
-- ?1 is a list of [sale, buyer], ?2 one of their sales. An archived sale is named with buyer 0.
-- STRAIGHT_JOIN: each is looked up by its key.
SELECT holdings.sale_id, holdings.buyer_id
FROM json_table(?1, '$[*]' COLUMNS (sale BIGINT PATH '$[0]', buyer BIGINT PATH '$[1]')) AS wanted
     STRAIGHT_JOIN holdings ON holdings.sale_id = wanted.sale AND holdings.buyer_id = wanted.buyer
UNION ALL
SELECT archived_sales.sale_id, 0
FROM json_table(?2, '$[*]' COLUMNS (sale BIGINT PATH '$')) AS asked
     STRAIGHT_JOIN archived_sales ON archived_sales.sale_id = asked.sale;

-- name: find_records
-- ?1 is a list of [buyer, sale, mark].
SELECT journal.buyer_id, journal.sale_id, journal.mark, quantity, epoch, state, reason, order_id, pass,
       journal.`key`, claimed_at, same_as
FROM json_table(?1, '$[*]' COLUMNS (buyer BIGINT PATH '$[0]', sale BIGINT PATH '$[1]',
                                    mark VARCHAR(32) PATH '$[2]')) AS wanted
     STRAIGHT_JOIN journal ON journal.buyer_id = wanted.buyer AND journal.sale_id = wanted.sale
                          AND journal.mark = unhex(wanted.mark);

-- name: has_table
SELECT count(*) FROM information_schema.tables
WHERE table_schema = database() AND table_name = ?1;

-- name: lock_archive
-- Whoever moves rows between ledger and archive. The server lets go of it with the connection.
SELECT get_lock(concat('sluice.archive.', md5(database())), ?1);

-- name: unlock_archive
SELECT release_lock(concat('sluice.archive.', md5(database())));

-- name: list_stale_copies
-- Sales of which the archive has rows that do not count.
SELECT sale_id FROM archived_orders WHERE sale_id NOT IN (SELECT sale_id FROM archived_sales)
UNION
SELECT sale_id FROM archived_holdings WHERE sale_id NOT IN (SELECT sale_id FROM archived_sales);
