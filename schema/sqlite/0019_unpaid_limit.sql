-- How many holds a buyer may leave unpaid in the sale before each further one costs a wait.
ALTER TABLE sales ADD COLUMN unpaid_limit INTEGER NOT NULL DEFAULT 3
    CHECK (unpaid_limit BETWEEN 1 AND 1000);
