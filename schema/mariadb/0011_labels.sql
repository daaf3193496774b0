-- What people call a sale and how they find it again (docs/adr/0181-a-sale-has-labels.md), and what a shop with many
-- items needs to keep order (docs/adr/0182-items-are-archived.md). An empty text stands for none. A list is one text
-- with a line for each entry; no entry has a line break in it.
ALTER TABLE sales
    ADD COLUMN IF NOT EXISTS name VARCHAR(80) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS campaign VARCHAR(40) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS tags VARCHAR(309) NOT NULL DEFAULT '';

ALTER TABLE items
    ADD COLUMN IF NOT EXISTS category VARCHAR(40) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS pictures TEXT NOT NULL DEFAULT '' CHECK (char_length(pictures) <= 16007),
    ADD COLUMN IF NOT EXISTS archived TINYINT NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));
