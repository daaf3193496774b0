-- From which network an order was bought: an IPv4 address, or an IPv6 /64. One row for each ticket that its buyer was told of, written
-- a moment after the purchase. It is removed a day after the end of the sale, and a week after the purchase at the latest
-- (docs/adr/0191-a-hold-knows-the-network-of-its-purchase.md).
CREATE TABLE hold_networks (
    sale_id INTEGER NOT NULL,
    mark BLOB NOT NULL CHECK (length(mark) = 16),
    network TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (sale_id, mark)
) STRICT, WITHOUT ROWID;

CREATE INDEX hold_networks_by_age ON hold_networks (at);
