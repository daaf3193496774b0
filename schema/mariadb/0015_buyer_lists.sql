-- Sales for listed buyers only, or for them first (docs/adr/0196-a-sale-may-be-for-listed-buyers.md).
-- list_version counts the changes of the list: the sale's news tell every node to ask anew.
ALTER TABLE sales
    ADD COLUMN IF NOT EXISTS audience VARCHAR(16) NOT NULL DEFAULT 'everyone'
        CHECK (audience IN ('everyone', 'listed', 'listed_first')),
    ADD COLUMN IF NOT EXISTS listed_until BIGINT,
    ADD COLUMN IF NOT EXISTS list_version BIGINT NOT NULL DEFAULT 0;

ALTER TABLE sales
    ADD CONSTRAINT IF NOT EXISTS sales_are_listed_until
        CHECK ((audience = 'listed_first') = (listed_until IS NOT NULL));

-- One row for each sale that has or had a list. The rows of the list are those of its edition; rows of an earlier
-- edition count no more and are removed a few at a time.
CREATE TABLE IF NOT EXISTS buyer_lists (
    sale_id BIGINT PRIMARY KEY CHECK (sale_id > 0),
    edition BIGINT NOT NULL CHECK (edition >= 0),
    listed BIGINT NOT NULL CHECK (listed >= 0),
    phones BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    CONSTRAINT buyer_lists_count_phones CHECK (phones BETWEEN 0 AND listed)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- A phone in its canonical form, whose account may not be there yet, and buyer_id 0; or the id of a user, and no phone.
CREATE TABLE IF NOT EXISTS listed_buyers (
    sale_id BIGINT NOT NULL,
    edition BIGINT NOT NULL CHECK (edition > 0),
    phone VARCHAR(64) NOT NULL,
    buyer_id BIGINT NOT NULL CHECK (buyer_id >= 0),
    PRIMARY KEY (sale_id, edition, phone, buyer_id),
    CONSTRAINT listed_buyers_are_one_kind CHECK ((buyer_id = 0) = (phone <> ''))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
