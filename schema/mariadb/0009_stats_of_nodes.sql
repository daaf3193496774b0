-- Several nodes count what they see of a sale, each for itself; the figures of all are added when they are
-- read. `node` is the node's part in ids, and 0 where there is only one. What was counted before is node 0's.
-- The last columns of funnel_totals are how things stood on that node when it wrote the row.

ALTER TABLE funnel_totals
    ADD COLUMN IF NOT EXISTS node BIGINT NOT NULL DEFAULT 0 AFTER sale_id,
    ADD COLUMN IF NOT EXISTS at BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS backlog BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS p50_us BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS p90_us BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS p99_us BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS p999_us BIGINT NOT NULL DEFAULT 0,
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (sale_id, node);

ALTER TABLE stats_points
    ADD COLUMN IF NOT EXISTS node BIGINT NOT NULL DEFAULT 0 AFTER at,
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (seconds, sale_id, at, node);
