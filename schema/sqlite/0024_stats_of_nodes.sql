-- Several nodes count what they see of a sale, each for itself; the figures of all are added when they are
-- read. `node` is the node's part in ids, and 0 where there is only one. What was counted before is node 0's.

CREATE TABLE funnel_totals_of_nodes (
    sale_id INTEGER NOT NULL REFERENCES sales (id),
    node INTEGER NOT NULL,
    visits INTEGER NOT NULL,
    challenges INTEGER NOT NULL,
    passes INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    refusals TEXT NOT NULL,
    orders INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    -- How things stood on that node when it wrote this.
    at INTEGER NOT NULL DEFAULT 0,
    backlog INTEGER NOT NULL DEFAULT 0,
    p50_us INTEGER NOT NULL DEFAULT 0,
    p90_us INTEGER NOT NULL DEFAULT 0,
    p99_us INTEGER NOT NULL DEFAULT 0,
    p999_us INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (sale_id, node)
) STRICT, WITHOUT ROWID;

INSERT INTO funnel_totals_of_nodes (sale_id, node, visits, challenges, passes, attempts, claims, refusals,
                                    orders, paid, expired)
SELECT sale_id, 0, visits, challenges, passes, attempts, claims, refusals, orders, paid, expired
FROM funnel_totals;

DROP TABLE funnel_totals;
ALTER TABLE funnel_totals_of_nodes RENAME TO funnel_totals;

CREATE TABLE stats_points_of_nodes (
    seconds INTEGER NOT NULL CHECK (seconds IN (1, 60)),
    sale_id INTEGER NOT NULL REFERENCES sales (id),
    at INTEGER NOT NULL,
    node INTEGER NOT NULL,
    visits INTEGER NOT NULL,
    challenges INTEGER NOT NULL,
    passes INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    refusals TEXT NOT NULL,
    orders INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    expired INTEGER NOT NULL,
    stock_total INTEGER NOT NULL,
    stock_left INTEGER NOT NULL,
    stock_held INTEGER NOT NULL,
    stock_sold INTEGER NOT NULL,
    backlog INTEGER NOT NULL,
    p50_us INTEGER NOT NULL,
    p90_us INTEGER NOT NULL,
    p99_us INTEGER NOT NULL,
    p999_us INTEGER NOT NULL,
    PRIMARY KEY (seconds, sale_id, at, node)
) STRICT, WITHOUT ROWID;

INSERT INTO stats_points_of_nodes
SELECT seconds, sale_id, at, 0, visits, challenges, passes, attempts, claims, refusals, orders, paid,
       expired, stock_total, stock_left, stock_held, stock_sold, backlog, p50_us, p90_us, p99_us, p999_us
FROM stats_points;

DROP TABLE stats_points;
ALTER TABLE stats_points_of_nodes RENAME TO stats_points;
CREATE INDEX stats_points_by_age ON stats_points (seconds, at);
