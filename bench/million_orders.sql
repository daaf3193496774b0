-- A million sound orders of a million buyers in ten sales, for measuring the audit and the start:
--   sluice migrate --data DIR && sqlite3 DIR/sluice.db < bench/million_orders.sql
BEGIN;
INSERT INTO items VALUES (1, 'tea', '', '', 100, 'CNY', 1, 0, '', '', 0);
INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, ends_at, paused,
                   stock_total, stock_left, stock_held, stock_sold, limit_per_buyer, hold_seconds,
                   challenge, gate_factor, version, created_at)
SELECT value, 1, 'flash', 100, 'CNY', 0, 4102444800000, 0, 200000, 100000, 100000, 0, 2, 900,
       'none', 5, 1, 0
FROM generate_series(1, 10);
CREATE TEMP TABLE bought AS
SELECT value AS id, 1 + value * 41943041 % 67108864 AS buyer, 1 + value % 10 AS sale,
       randomblob(16) AS mark, 1700000000000 + value AS at
FROM generate_series(1, 1000000);
INSERT INTO orders
SELECT id, sale, 1, buyer, mark, 1, 100, 'CNY', 'pending', at, at + 900000, NULL
FROM bought ORDER BY id;
INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, order_id, pass, claimed_at)
SELECT buyer, sale, mark, 1, 1, 2, id, randomblob(16), at FROM bought ORDER BY buyer;
INSERT INTO holdings SELECT sale, buyer, 1, mark FROM bought ORDER BY sale, buyer;
COMMIT;
