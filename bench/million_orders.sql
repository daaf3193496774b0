-- A million sound orders of a million buyers in ten sales, for measuring the audit and the start:
--   sluice migrate --data DIR && sqlite3 DIR/sluice.db < bench/million_orders.sql
BEGIN;
INSERT INTO items VALUES (1, 'tea', '', '', 100, 'CNY', 1, 0);
INSERT INTO sales
SELECT value, 1, 'flash', 100, 'CNY', 0, 4102444800000, NULL, 0, 200000, 100000, 100000, 0, 2, 900,
       'none', 5, 1, 0, 1, NULL, NULL
FROM generate_series(1, 10);
CREATE TEMP TABLE bought AS
SELECT value AS id, 1 + value * 41943041 % 67108864 AS buyer, 1 + value % 10 AS sale,
       randomblob(16) AS mark, 1700000000000 + value AS at
FROM generate_series(1, 1000000);
INSERT INTO orders
SELECT id, sale, 1, buyer, mark, 1, 100, 'CNY', 'pending', at, at + 900000, NULL
FROM bought ORDER BY id;
INSERT INTO journal
SELECT buyer, sale, mark, 1, 1, 2, NULL, id, randomblob(16), NULL, at, 0 FROM bought ORDER BY buyer;
INSERT INTO holdings SELECT sale, buyer, 1, mark FROM bought ORDER BY sale, buyer;
COMMIT;
