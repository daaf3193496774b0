-- Numbers that an operator has set while the server ran, in place of those it was started with.

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
