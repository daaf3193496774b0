-- What operators watch: the funnel of each sale, and its history.

-- The funnel since the sale began, as far as it is in the history. Written once a minute.
CREATE TABLE IF NOT EXISTS funnel_totals (
    sale_id BIGINT PRIMARY KEY,
    visits BIGINT NOT NULL,
    challenges BIGINT NOT NULL,
    passes BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    claims BIGINT NOT NULL,
    refusals TEXT NOT NULL,
    orders BIGINT NOT NULL,
    paid BIGINT NOT NULL,
    expired BIGINT NOT NULL,
    CONSTRAINT funnel_totals_have_sales FOREIGN KEY (sale_id) REFERENCES sales (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- A stretch of at most `seconds` (1 or 60) from `at` on: what was counted in it, and the stock,
-- backlog and latency at its end. Stretches in which nothing happened have no row.
CREATE TABLE IF NOT EXISTS stats_points (
    seconds BIGINT NOT NULL CHECK (seconds IN (1, 60)),
    sale_id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    visits BIGINT NOT NULL,
    challenges BIGINT NOT NULL,
    passes BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    claims BIGINT NOT NULL,
    refusals TEXT NOT NULL,
    orders BIGINT NOT NULL,
    paid BIGINT NOT NULL,
    expired BIGINT NOT NULL,
    stock_total BIGINT NOT NULL,
    stock_left BIGINT NOT NULL,
    stock_held BIGINT NOT NULL,
    stock_sold BIGINT NOT NULL,
    backlog BIGINT NOT NULL,
    p50_us BIGINT NOT NULL,
    p90_us BIGINT NOT NULL,
    p99_us BIGINT NOT NULL,
    p999_us BIGINT NOT NULL,
    PRIMARY KEY (seconds, sale_id, at),
    INDEX stats_points_by_age (seconds, at),
    CONSTRAINT stats_points_have_sales FOREIGN KEY (sale_id) REFERENCES sales (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
