-- What people call a sale and how they find it again (docs/adr/0181-a-sale-has-labels.md), and what a shop with many
-- items needs to keep order (docs/adr/0182-items-are-archived.md). An empty text stands for none. A list is one text
-- with a line for each entry; no entry has a line break in it.
ALTER TABLE sales ADD COLUMN name TEXT NOT NULL DEFAULT '' CHECK (length(name) <= 80);
ALTER TABLE sales ADD COLUMN campaign TEXT NOT NULL DEFAULT '' CHECK (length(campaign) <= 40);
ALTER TABLE sales ADD COLUMN tags TEXT NOT NULL DEFAULT '' CHECK (length(tags) <= 309);

ALTER TABLE items ADD COLUMN category TEXT NOT NULL DEFAULT '' CHECK (length(category) <= 40);
ALTER TABLE items ADD COLUMN pictures TEXT NOT NULL DEFAULT '' CHECK (length(pictures) <= 16007);
ALTER TABLE items ADD COLUMN archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1));
