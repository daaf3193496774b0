-- Sales that ended long ago. Their tickets, orders, holdings and money stand in a file of their own,
-- archive.db, which has this same schema; the sale's row stays here. A row of this table is what
-- makes the archive's copy the valid one: it is written in the transaction that removes the rows
-- from this file (docs/adr/0062-ended-sales-move-to-an-archive.md).

-- The digest covers every archived row, so that the audit notices when the archive is changed,
-- exchanged or lost.
CREATE TABLE archived_sales (
    sale_id INTEGER PRIMARY KEY REFERENCES sales (id),
    at INTEGER NOT NULL,
    orders INTEGER NOT NULL CHECK (orders >= 0),
    last_order INTEGER NOT NULL,
    digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

-- An archived sale has no holdings here, so nobody's limit would be known if it opened again.
CREATE TRIGGER archived_sales_are_not_changed
BEFORE UPDATE OF starts_at, ends_at, ended_at, limit_per_buyer, stock_total, stock_left, stock_held,
                 stock_sold ON sales
WHEN EXISTS (SELECT 1 FROM archived_sales WHERE sale_id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'the sale is archived: bring it back with `sluice archive --bring-back`');
END;
