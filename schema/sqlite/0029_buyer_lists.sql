-- Sales for listed buyers only, or for them first (docs/adr/0196-a-sale-may-be-for-listed-buyers.md).
-- list_version counts the changes of the list: the sale's news tell every node to ask anew.
ALTER TABLE sales ADD COLUMN audience TEXT NOT NULL DEFAULT 'everyone'
    CHECK (audience IN ('everyone', 'listed', 'listed_first'));
ALTER TABLE sales ADD COLUMN listed_until INTEGER CHECK ((audience = 'listed_first') = (listed_until IS NOT NULL));
ALTER TABLE sales ADD COLUMN list_version INTEGER NOT NULL DEFAULT 0;

-- One row for each sale that has or had a list. The rows of the list are those of its edition; rows of an earlier
-- edition count no more and are removed a few at a time.
CREATE TABLE buyer_lists (
    sale_id INTEGER PRIMARY KEY CHECK (sale_id > 0),
    edition INTEGER NOT NULL CHECK (edition >= 0),
    listed INTEGER NOT NULL CHECK (listed >= 0),
    phones INTEGER NOT NULL CHECK (phones BETWEEN 0 AND listed),
    changed_at INTEGER NOT NULL
) STRICT;

-- A phone in its canonical form, whose account may not be there yet, and buyer_id 0; or the id of a user, and no phone.
CREATE TABLE listed_buyers (
    sale_id INTEGER NOT NULL,
    edition INTEGER NOT NULL CHECK (edition > 0),
    phone TEXT NOT NULL CHECK (length(phone) <= 64),
    buyer_id INTEGER NOT NULL CHECK (buyer_id >= 0 AND (buyer_id = 0) = (phone <> '')),
    PRIMARY KEY (sale_id, edition, phone, buyer_id)
) STRICT, WITHOUT ROWID;
