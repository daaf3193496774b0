-- How far an order is on its way to its buyer: one row for each order whose delivery somebody has changed. It stays in the ledger when
-- the sale is archived, since deliveries go on after that; therefore it refers to no row of orders
-- (docs/adr/0197-delivery-and-contacts-stand-beside-orders.md).
CREATE TABLE order_deliveries (
    order_id INTEGER PRIMARY KEY CHECK (order_id > 0),
    sale_id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('none', 'preparing', 'shipped', 'delivered')),
    carrier TEXT NOT NULL CHECK (length(carrier) <= 60),
    number TEXT NOT NULL CHECK (length(number) <= 64),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX order_deliveries_by_state ON order_deliveries (state, order_id);
CREATE INDEX order_deliveries_by_sale ON order_deliveries (sale_id, state, order_id);

-- Where buyers want their orders to go: what they have stored, and a copy at each order, which stays in the ledger when the sale is
-- archived, so that it can be erased.
CREATE TABLE contacts (
    user_id INTEGER PRIMARY KEY REFERENCES users (id),
    name TEXT NOT NULL CHECK (length(name) <= 60),
    phone TEXT NOT NULL CHECK (length(phone) <= 32),
    address TEXT NOT NULL CHECK (length(address) <= 300),
    note TEXT NOT NULL CHECK (length(note) <= 300),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE order_contacts (
    order_id INTEGER PRIMARY KEY CHECK (order_id > 0),
    buyer_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL CHECK (length(name) <= 60),
    phone TEXT NOT NULL CHECK (length(phone) <= 32),
    address TEXT NOT NULL CHECK (length(address) <= 300),
    note TEXT NOT NULL CHECK (length(note) <= 300),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX order_contacts_by_buyer ON order_contacts (buyer_id, order_id);
