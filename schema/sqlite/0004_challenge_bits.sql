-- How many zero bits a proof of work takes in this sale; null: as many as the configuration says.
ALTER TABLE sales ADD COLUMN challenge_bits INTEGER CHECK (challenge_bits BETWEEN 8 AND 28);
