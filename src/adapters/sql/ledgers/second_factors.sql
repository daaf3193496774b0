-- name: find_second_factor
SELECT secret, confirmed, last_step,
    (SELECT count(*) FROM recovery_codes WHERE user_id = ?1)
FROM second_factors WHERE user_id = ?1;

-- name: begin_second_factor
INSERT INTO second_factors (user_id, secret, confirmed, last_step)
VALUES (?1, ?2, 0, 0)
ON CONFLICT (user_id) DO UPDATE SET secret = ?2 WHERE confirmed = 0;

-- name: confirm_second_factor
UPDATE second_factors SET confirmed = 1, last_step = ?3
WHERE user_id = ?1 AND secret = ?2 AND confirmed = 0;

-- name: add_recovery_code
INSERT INTO recovery_codes (user_id, digest) VALUES (?1, ?2);

-- name: use_totp_step
UPDATE second_factors SET last_step = ?2 WHERE user_id = ?1 AND confirmed = 1 AND last_step < ?2;

-- name: use_recovery_code
DELETE FROM recovery_codes WHERE user_id = ?1 AND digest = ?2;

-- name: remove_recovery_codes
DELETE FROM recovery_codes WHERE user_id = ?1;

-- name: remove_second_factor
DELETE FROM second_factors WHERE user_id = ?1;
