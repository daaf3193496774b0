-- Pictures that operators have uploaded, as they are shown: each in several sizes, made anew from what was uploaded. Items name them
-- by their address (docs/adr/0198-uploaded-pictures-are-made-anew.md).
CREATE TABLE pictures (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32), -- SHA-256 of what was uploaded
    bytes INTEGER NOT NULL CHECK (bytes > 0),                 -- of all sizes
    added_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL -- last uploaded, or given to an item, or seen in one; days later it is removed
) STRICT, WITHOUT ROWID;

CREATE INDEX pictures_by_use ON pictures (used_at);

CREATE TABLE picture_sizes (
    hash BLOB NOT NULL REFERENCES pictures (hash),
    width INTEGER NOT NULL CHECK (width > 0),
    height INTEGER NOT NULL CHECK (height > 0),
    jpeg BLOB NOT NULL,
    PRIMARY KEY (hash, width)
) STRICT;
