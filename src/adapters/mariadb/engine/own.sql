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

-- name: fill_probe
-- More than a full batch usually needs: a smaller one could fit into what is left of the disk
-- and report a healthy server on which real work still fails.
REPLACE INTO write_probe (id, filler) VALUES (1, repeat('x', 1048576));

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

-- name: count_tables
SELECT count(*) FROM information_schema.tables WHERE table_schema = database();

-- name: has_table
SELECT count(*) FROM information_schema.tables
WHERE table_schema = database() AND table_name = ?1;

-- name: list_migrations
SELECT version, name FROM migrations ORDER BY version;

-- name: note_migration
INSERT INTO migrations (version, name, applied_at) VALUES (?1, ?2, ?3);

-- name: list_objects
-- Whatever the migrations make, down to the columns, each with all that is known of it. The engine
-- sorts nothing here: names are unique within their type.
SELECT 'table' AS type, table_name AS name,
       concat_ws(' ', table_type, engine, table_collation, row_format) AS text
FROM information_schema.tables WHERE table_schema = database()
UNION ALL
SELECT 'column', concat(table_name, '.', column_name),
       concat_ws(' ', ordinal_position, column_type, collation_name, is_nullable,
                 'default', coalesce(column_default, 'none'), extra,
                 'as', coalesce(generation_expression, 'none'))
FROM information_schema.columns WHERE table_schema = database()
UNION ALL
SELECT 'index', concat(table_name, '.', index_name),
       concat(if(min(non_unique) = 0, 'unique (', '('),
              group_concat(column_name ORDER BY seq_in_index SEPARATOR ', '), ')')
FROM information_schema.statistics WHERE table_schema = database()
GROUP BY table_name, index_name
UNION ALL
SELECT 'check', concat(table_name, '.', constraint_name), check_clause
FROM information_schema.check_constraints WHERE constraint_schema = database()
UNION ALL
SELECT 'reference', concat(rules.table_name, '.', rules.constraint_name),
       concat(group_concat(parts.column_name ORDER BY parts.ordinal_position SEPARATOR ', '), ' to ',
              min(parts.referenced_table_name), ' (',
              group_concat(parts.referenced_column_name ORDER BY parts.ordinal_position SEPARATOR ', '),
              ') on delete ', min(rules.delete_rule), ' on update ', min(rules.update_rule))
FROM information_schema.referential_constraints AS rules
JOIN information_schema.key_column_usage AS parts
  ON parts.constraint_schema = rules.constraint_schema
 AND parts.constraint_name = rules.constraint_name AND parts.table_name = rules.table_name
WHERE rules.constraint_schema = database()
GROUP BY rules.table_name, rules.constraint_name
UNION ALL
SELECT 'trigger', trigger_name,
       concat_ws(' ', action_timing, event_manipulation, 'on', event_object_table, 'place', action_order,
                 action_statement)
FROM information_schema.triggers WHERE trigger_schema = database()
UNION ALL
SELECT 'routine', routine_name,
       concat_ws(' ', routine_type, dtd_identifier,
                 (SELECT group_concat(concat_ws(' ', parameter_mode, parameter_name, dtd_identifier)
                                      ORDER BY ordinal_position SEPARATOR ', ')
                  FROM information_schema.parameters
                  WHERE parameters.specific_schema = routines.routine_schema
                    AND parameters.specific_name = routines.specific_name AND ordinal_position > 0),
                 is_deterministic, sql_data_access, routine_definition)
FROM information_schema.routines WHERE routine_schema = database()
ORDER BY type, name;

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
-- ?1 is a list of [sale, buyer]. STRAIGHT_JOIN: each is looked up by the key of the holdings.
SELECT holdings.sale_id, holdings.buyer_id
FROM json_table(?1, '$[*]' COLUMNS (sale BIGINT PATH '$[0]', buyer BIGINT PATH '$[1]')) AS wanted
     STRAIGHT_JOIN holdings ON holdings.sale_id = wanted.sale AND holdings.buyer_id = wanted.buyer;

-- name: find_records
-- ?1 is a list of [buyer, sale, mark].
SELECT journal.buyer_id, journal.sale_id, journal.mark, quantity, epoch, state, reason, order_id, pass,
       journal.`key`, claimed_at, same_as
FROM json_table(?1, '$[*]' COLUMNS (buyer BIGINT PATH '$[0]', sale BIGINT PATH '$[1]',
                                    mark VARCHAR(32) PATH '$[2]')) AS wanted
     STRAIGHT_JOIN journal ON journal.buyer_id = wanted.buyer AND journal.sale_id = wanted.sale
                          AND journal.mark = unhex(wanted.mark);
