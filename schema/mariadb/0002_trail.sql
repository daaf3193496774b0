-- Who changed what, as a chain: each deed's hash is over its fields and the hash before. The hash is
-- that of src/adapters/sql/trail_chain.cpp, so that a trail stays valid when it is copied to SQLite or
-- from it. MariaDB has no BLAKE2b, and so it is written here (docs/adr/0095-mariadb-enforces-the-same-rules.md).

CREATE TABLE IF NOT EXISTS audit_trail (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    at BIGINT NOT NULL,
    actor_id BIGINT,
    os_user TEXT,
    address TEXT NOT NULL,
    request_id TEXT NOT NULL,
    action VARCHAR(64) NOT NULL,
    subject VARCHAR(255) NOT NULL,
    state_before LONGTEXT NOT NULL,
    state_after LONGTEXT NOT NULL,
    CONSTRAINT deeds_have_one_actor CHECK ((actor_id IS NULL) <> (os_user IS NULL)),
    CONSTRAINT deeds_have_users FOREIGN KEY (actor_id) REFERENCES users (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS trail_chain (
    place BIGINT PRIMARY KEY CHECK (place > 0),
    deed_id BIGINT NOT NULL,
    hash VARBINARY(32) NOT NULL CHECK (octet_length(hash) = 32),
    UNIQUE INDEX trail_chain_by_deed (deed_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- Whoever adds a deed locks this row first and keeps it until the commit. Locking the last link in its
-- place would be a deadlock with whoever waits behind it.
CREATE TABLE IF NOT EXISTS trail_head (
    one TINYINT PRIMARY KEY CHECK (one = 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

INSERT INTO trail_head (one)
SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM trail_head);

-- One mixing step of BLAKE2b (RFC 7693, 3.1). MariaDB refuses a sum of 2^64 and more, so the highest
-- bits are added apart, where a carry is lost as it should be.
CREATE PROCEDURE IF NOT EXISTS blake2b_mix(INOUT a BIGINT UNSIGNED, INOUT b BIGINT UNSIGNED,
                                           INOUT c BIGINT UNSIGNED, INOUT d BIGINT UNSIGNED,
                                           x BIGINT UNSIGNED, y BIGINT UNSIGNED)
DETERMINISTIC NO SQL
BEGIN
    SET a = ((a & 9223372036854775807) + (b & 9223372036854775807)) ^ ((a ^ b) & 9223372036854775808);
    SET a = ((a & 9223372036854775807) + (x & 9223372036854775807)) ^ ((a ^ x) & 9223372036854775808);
    SET d = d ^ a;
    SET d = (d >> 32) | (d << 32);
    SET c = ((c & 9223372036854775807) + (d & 9223372036854775807)) ^ ((c ^ d) & 9223372036854775808);
    SET b = b ^ c;
    SET b = (b >> 24) | (b << 40);
    SET a = ((a & 9223372036854775807) + (b & 9223372036854775807)) ^ ((a ^ b) & 9223372036854775808);
    SET a = ((a & 9223372036854775807) + (y & 9223372036854775807)) ^ ((a ^ y) & 9223372036854775808);
    SET d = d ^ a;
    SET d = (d >> 16) | (d << 48);
    SET c = ((c & 9223372036854775807) + (d & 9223372036854775807)) ^ ((c ^ d) & 9223372036854775808);
    SET b = b ^ c;
    SET b = (b >> 63) | (b << 1);
END;

-- A number, given in hexadecimal digits, in eight bytes, the lowest first.
CREATE FUNCTION IF NOT EXISTS little_endian(digits VARCHAR(16) CHARSET latin1) RETURNS VARBINARY(8)
DETERMINISTIC NO SQL
RETURN reverse(unhex(lpad(digits, 16, '0')));

-- The number that step `step` of round `round` takes from a block. `words` are the block's sixteen
-- numbers, each in sixteen hexadecimal digits; each digit of the table is the place of one of them.
CREATE FUNCTION IF NOT EXISTS blake2b_word(words VARCHAR(256) CHARSET latin1, round INT, step INT)
RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL
RETURN conv(substr(words, 1 + 16 * conv(substr(
    '0123456789abcdefea489fd61c02b753b8c052fdae367194'
    '7931dcbe265a40f8905724afe1bc683d2c6a0b834d75fe19'
    'c51fed4a0763928bdb7ec13950f4862a6fe9b308c2d714a5'
    'a2847615fb9e3cd00123456789abcdefea489fd61c02b753'
    , 1 + 16 * round + step, 1), 16, 10), 16), 16, 10);

-- BLAKE2b without a key, of 32 bytes.
CREATE FUNCTION IF NOT EXISTS blake2b(message LONGBLOB) RETURNS VARBINARY(32)
DETERMINISTIC NO SQL
BEGIN
    DECLARE block VARBINARY(128);
    DECLARE words VARCHAR(256) CHARSET latin1;
    DECLARE done, size BIGINT UNSIGNED;
    DECLARE n, round INT;
    DECLARE h0, h1, h2, h3, h4, h5, h6, h7 BIGINT UNSIGNED;
    DECLARE v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15 BIGINT UNSIGNED;
    -- The first parts of the square roots of the first primes; 16842784 says: 32 bytes, no key.
    SET h0 = 7640891576956012808 ^ 16842784;
    SET h1 = 13503953896175478587;
    SET h2 = 4354685564936845355;
    SET h3 = 11912009170470909681;
    SET h4 = 5840696475078001361;
    SET h5 = 11170449401992604703;
    SET h6 = 2270897969802886507;
    SET h7 = 6620516959819538809;
    SET size = octet_length(message), done = 0;
    REPEAT
        SET block = rpad(substr(message, done + 1, 128), 128, x'00'), words = '', n = 0;
        WHILE n < 16 DO
            SET words = concat(words, hex(reverse(substr(block, 8 * n + 1, 8)))), n = n + 1;
        END WHILE;
        SET done = least(done + 128, size);
        SET v0 = h0, v8 = 7640891576956012808;
        SET v1 = h1, v9 = 13503953896175478587;
        SET v2 = h2, v10 = 4354685564936845355;
        SET v3 = h3, v11 = 11912009170470909681;
        SET v4 = h4, v12 = 5840696475078001361;
        SET v5 = h5, v13 = 11170449401992604703;
        SET v6 = h6, v14 = 2270897969802886507;
        SET v7 = h7, v15 = 6620516959819538809;
        SET v12 = v12 ^ done;
        IF done = size THEN SET v14 = ~v14; END IF;
        SET round = 0;
        WHILE round < 12 DO
            CALL blake2b_mix(v0, v4, v8, v12, blake2b_word(words, round, 0),
                             blake2b_word(words, round, 1));
            CALL blake2b_mix(v1, v5, v9, v13, blake2b_word(words, round, 2),
                             blake2b_word(words, round, 3));
            CALL blake2b_mix(v2, v6, v10, v14, blake2b_word(words, round, 4),
                             blake2b_word(words, round, 5));
            CALL blake2b_mix(v3, v7, v11, v15, blake2b_word(words, round, 6),
                             blake2b_word(words, round, 7));
            CALL blake2b_mix(v0, v5, v10, v15, blake2b_word(words, round, 8),
                             blake2b_word(words, round, 9));
            CALL blake2b_mix(v1, v6, v11, v12, blake2b_word(words, round, 10),
                             blake2b_word(words, round, 11));
            CALL blake2b_mix(v2, v7, v8, v13, blake2b_word(words, round, 12),
                             blake2b_word(words, round, 13));
            CALL blake2b_mix(v3, v4, v9, v14, blake2b_word(words, round, 14),
                             blake2b_word(words, round, 15));
            SET round = round + 1;
        END WHILE;
        SET h0 = h0 ^ v0 ^ v8;
        SET h1 = h1 ^ v1 ^ v9;
        SET h2 = h2 ^ v2 ^ v10;
        SET h3 = h3 ^ v3 ^ v11;
        SET h4 = h4 ^ v4 ^ v12;
        SET h5 = h5 ^ v5 ^ v13;
        SET h6 = h6 ^ v6 ^ v14;
        SET h7 = h7 ^ v7 ^ v15;
    UNTIL done = size END REPEAT;
    RETURN concat(little_endian(hex(h0)), little_endian(hex(h1)), little_endian(hex(h2)), little_endian(hex(h3)));
END;

-- As hash_of() in src/adapters/sql/trail_chain.cpp.
CREATE FUNCTION IF NOT EXISTS deed_hash(
    previous VARBINARY(32), id BIGINT, at BIGINT, actor_id BIGINT, address LONGBLOB,
    request_id LONGBLOB, action LONGBLOB, subject LONGBLOB, state_before LONGBLOB,
    state_after LONGBLOB, os_user LONGBLOB) RETURNS VARBINARY(32)
DETERMINISTIC NO SQL
RETURN blake2b(concat(
    previous, little_endian(hex(id)), little_endian(hex(at)),
    little_endian(hex(coalesce(actor_id, 0))),
    little_endian(hex(octet_length(address))), address,
    little_endian(hex(octet_length(request_id))), request_id,
    little_endian(hex(octet_length(action))), action,
    little_endian(hex(octet_length(subject))), subject,
    little_endian(hex(octet_length(state_before))), state_before,
    little_endian(hex(octet_length(state_after))), state_after,
    coalesce(concat(little_endian(hex(octet_length(os_user))), os_user), '')));

CREATE TRIGGER IF NOT EXISTS audit_trail_is_chained AFTER INSERT ON audit_trail FOR EACH ROW
BEGIN
    DECLARE head TINYINT;
    DECLARE last_place BIGINT DEFAULT 0;
    DECLARE last_hash VARBINARY(32) DEFAULT repeat(x'00', 32);
    DECLARE CONTINUE HANDLER FOR NOT FOUND BEGIN END;
    IF @sluice_program IS NULL THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'only the program adds deeds to the audit trail';
    END IF;
    IF @sluice_copies IS NULL THEN
        SELECT one INTO head FROM trail_head WHERE one = 1 FOR UPDATE;
        SELECT place, hash INTO last_place, last_hash
        FROM trail_chain ORDER BY place DESC LIMIT 1 FOR UPDATE;
        INSERT INTO trail_chain (place, deed_id, hash)
        VALUES (last_place + 1, NEW.id,
                deed_hash(last_hash, NEW.id, NEW.at, NEW.actor_id, NEW.address, NEW.request_id,
                          NEW.action, NEW.subject, NEW.state_before, NEW.state_after, NEW.os_user));
    END IF;
END;

CREATE TRIGGER IF NOT EXISTS audit_trail_is_not_edited BEFORE UPDATE ON audit_trail FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit trail is append-only';

CREATE TRIGGER IF NOT EXISTS audit_trail_is_not_shortened BEFORE DELETE ON audit_trail FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit trail is append-only';

CREATE TRIGGER IF NOT EXISTS trail_chain_is_not_edited BEFORE UPDATE ON trail_chain FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit trail is append-only';

CREATE TRIGGER IF NOT EXISTS trail_chain_is_not_shortened BEFORE DELETE ON trail_chain FOR EACH ROW
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the audit trail is append-only';
