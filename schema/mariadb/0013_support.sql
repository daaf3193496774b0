-- The role support, and what finding users by name needs.

ALTER TABLE users
    MODIFY COLUMN role VARCHAR(16) NOT NULL CHECK (role IN ('buyer', 'support', 'operator', 'admin')),
    ADD INDEX IF NOT EXISTS users_by_name (name(64));
