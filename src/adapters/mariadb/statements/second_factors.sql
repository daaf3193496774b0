-- name: begin_second_factor
-- One that is confirmed stays: the SELECT finds nothing then, and no row counts as touched.
INSERT INTO second_factors (user_id, secret, confirmed, last_step)
SELECT ?1, ?2, 0, 0 FROM DUAL
WHERE NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = ?1 AND confirmed = 1)
ON DUPLICATE KEY UPDATE secret = VALUE(secret);
