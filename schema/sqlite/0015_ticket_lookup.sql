-- A buyer's tickets in a sale are found by pass and by key, however many they are. The latest ticket
-- stands in holdings, a row that every purchase writes anyway. Only earlier tickets are in the
-- indexes, so a buyer's first purchase, which is nearly every purchase, writes no page of them.
ALTER TABLE holdings ADD COLUMN latest BLOB CHECK (length(latest) = 16);
ALTER TABLE journal ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1));

UPDATE holdings SET latest = (
    SELECT mark FROM journal
    WHERE journal.buyer_id = holdings.buyer_id AND journal.sale_id = holdings.sale_id
    ORDER BY claimed_at DESC, order_id DESC LIMIT 1
);
UPDATE journal SET superseded = 1
WHERE mark IS NOT (
    SELECT latest FROM holdings
    WHERE holdings.sale_id = journal.sale_id AND holdings.buyer_id = journal.buyer_id
);

-- With the flag as the last column, so that a look-up reads nothing but the index. Without it SQLite
-- prefers to walk all of the buyer's tickets.
CREATE INDEX earlier_tickets_by_pass ON journal (buyer_id, sale_id, pass, superseded)
WHERE superseded = 1;
CREATE INDEX earlier_tickets_by_key ON journal (buyer_id, sale_id, key, superseded)
WHERE superseded = 1 AND key IS NOT NULL;
