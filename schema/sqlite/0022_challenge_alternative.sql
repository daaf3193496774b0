-- What a buyer may ask for in place of a formula, because they cannot see it. Sales from before offer nothing.
ALTER TABLE sales ADD COLUMN challenge_alternative TEXT NOT NULL DEFAULT 'none'
    CHECK (challenge_alternative IN ('none', 'pow'));
