-- How far an order is on its way to its buyer: one row for each order whose delivery somebody has changed. It stays in the ledger when
-- the sale is archived, since deliveries go on after that; therefore it refers to no row of orders
-- (docs/adr/0197-delivery-and-contacts-stand-beside-orders.md).
CREATE TABLE IF NOT EXISTS order_deliveries (
    order_id BIGINT PRIMARY KEY CHECK (order_id > 0),
    sale_id BIGINT NOT NULL,
    state VARCHAR(16) NOT NULL CHECK (state IN ('none', 'preparing', 'shipped', 'delivered')),
    carrier VARCHAR(60) NOT NULL,
    number VARCHAR(64) NOT NULL,
    changed_at BIGINT NOT NULL,
    INDEX order_deliveries_by_state (state, order_id),
    INDEX order_deliveries_by_sale (sale_id, state, order_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
