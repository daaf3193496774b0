-- A pause, a resume and an end are dated when they are written, no longer when they are asked for.
-- The audit tells those of before from those after by when this was applied.

-- The end of the sale's last pause: what was claimed before it is not sold, also when it is handed
-- in later.
ALTER TABLE sales ADD COLUMN resumed_at INTEGER;
