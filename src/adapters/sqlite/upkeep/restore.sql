-- name: holds_something
SELECT EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM items);

-- name: end_all_sessions
DELETE FROM sessions;

-- name: rename_ledger
-- Nobody takes a hot copy of the ledger before it for this one's.
UPDATE ledger_name SET name = randomblob(16);

-- name: make_accepted
CREATE TEMP TABLE accepted (promise TEXT NOT NULL, finding TEXT NOT NULL);

-- name: note_accepted
INSERT INTO accepted VALUES (?1, ?2);

-- name: tell_accepted
SELECT json_object('accepted', json_group_array(json_object('promise', promise,
                                                            'findings', json(findings))))
FROM (SELECT promise, json_group_array(finding) AS findings FROM accepted GROUP BY promise);

-- name: find_orphan
-- The table of a row that refers to one which is not there.
SELECT "table" FROM pragma_foreign_key_check LIMIT 1;
