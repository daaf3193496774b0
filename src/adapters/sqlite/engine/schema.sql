-- name: count_tables
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\';

-- name: has_migrations_table
SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'migrations';

-- name: list_migrations
SELECT version, name FROM migrations ORDER BY version;

-- name: note_migration
INSERT INTO migrations (version, name, applied_at) VALUES (?1, ?2, ?3);

-- name: list_objects
SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name;
