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

-- Where buyers want their orders to go: what they have stored, and a copy at each order, which stays in the ledger when the sale is
-- archived, so that it can be erased.
CREATE TABLE IF NOT EXISTS contacts (
    user_id BIGINT PRIMARY KEY,
    name VARCHAR(60) NOT NULL,
    phone VARCHAR(32) NOT NULL,
    address VARCHAR(300) NOT NULL,
    note VARCHAR(300) NOT NULL,
    changed_at BIGINT NOT NULL,
    FOREIGN KEY (user_id) REFERENCES users (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS order_contacts (
    order_id BIGINT PRIMARY KEY CHECK (order_id > 0),
    buyer_id BIGINT NOT NULL,
    name VARCHAR(60) NOT NULL,
    phone VARCHAR(32) NOT NULL,
    address VARCHAR(300) NOT NULL,
    note VARCHAR(300) NOT NULL,
    changed_at BIGINT NOT NULL,
    INDEX order_contacts_by_buyer (buyer_id, order_id),
    FOREIGN KEY (buyer_id) REFERENCES users (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
