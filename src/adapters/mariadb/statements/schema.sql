-- name: count_tables
SELECT count(*) FROM information_schema.tables WHERE table_schema = database();

-- name: has_migrations_table
SELECT count(*) FROM information_schema.tables
WHERE table_schema = database() AND table_name = 'migrations';

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
