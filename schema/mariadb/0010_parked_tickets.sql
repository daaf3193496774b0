-- Tickets that no writer could write, because their rows do not fit together. Somebody was told that they are
-- queued, so they wait here until an operator sends them again or refuses them
-- (docs/adr/0136-parked-tickets-stand-in-a-table.md). The row stays when the ticket is decided, and is not parked any
-- more. A ticket may have no other row, so it stands here whole.
CREATE TABLE IF NOT EXISTS parked_tickets (
    sale_id BIGINT NOT NULL,
    mark VARBINARY(16) NOT NULL CHECK (octet_length(mark) = 16),
    buyer_id BIGINT NOT NULL,
    quantity BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    pass VARBINARY(16) NOT NULL CHECK (octet_length(pass) = 16),
    `key` VARBINARY(16) CHECK (octet_length(`key`) = 16),
    claimed_at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    parked_at BIGINT NOT NULL,
    tried_at BIGINT NOT NULL,
    tries BIGINT NOT NULL CHECK (tries > 0),
    decided TINYINT NOT NULL DEFAULT 0 CHECK (decided IN (0, 1)),
    PRIMARY KEY (sale_id, mark),
    INDEX parked_tickets_by_age (decided, parked_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_nopad_bin;

-- An operator may refuse a ticket that is parked. Its reason is 'conflict'.
ALTER TABLE journal
    MODIFY COLUMN reason VARCHAR(16) CHECK (reason IN ('not_found', 'ended', 'paused', 'not_started', 'sold_out',
                                                       'limit_reached', 'busy', 'conflict'));
