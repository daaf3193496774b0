-- Pictures that operators have uploaded, as they are shown: each in several sizes, made anew from what was uploaded. Items name them
-- by their address (docs/adr/0198-uploaded-pictures-are-made-anew.md).
CREATE TABLE IF NOT EXISTS pictures (
    hash VARBINARY(32) NOT NULL PRIMARY KEY CHECK (octet_length(hash) = 32), -- SHA-256 of what was uploaded
    bytes BIGINT NOT NULL CHECK (bytes > 0),                                 -- of all sizes
    added_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL, -- last uploaded, or given to an item, or seen in one; days later it is removed
    INDEX pictures_by_use (used_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS picture_sizes (
    hash VARBINARY(32) NOT NULL,
    width BIGINT NOT NULL CHECK (width > 0),
    height BIGINT NOT NULL CHECK (height > 0),
    jpeg MEDIUMBLOB NOT NULL,
    PRIMARY KEY (hash, width),
    CONSTRAINT sizes_have_pictures FOREIGN KEY (hash) REFERENCES pictures (hash)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;
