-- From which network an order was bought: an IPv4 address, or an IPv6 /64. One row for each ticket that its buyer was told of, written
-- a moment after the purchase. It is removed a day after the end of the sale, and a week after the purchase at the latest
-- (docs/adr/0191-a-hold-knows-the-network-of-its-purchase.md).
CREATE TABLE IF NOT EXISTS hold_networks (
    sale_id BIGINT NOT NULL,
    mark VARBINARY(16) NOT NULL CHECK (octet_length(mark) = 16),
    network VARCHAR(64) NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (sale_id, mark),
    INDEX hold_networks_by_age (at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
