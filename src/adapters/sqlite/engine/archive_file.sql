-- name: hide_stale_copies
-- On a connection to the archive: only what the ledger calls archived counts. A copy whose move was
-- cut short, or that was brought back, is not seen. Deeds stay in the ledger.
CREATE TEMP VIEW sales AS
SELECT * FROM main.sales WHERE +id IN (SELECT sale_id FROM ledger.archived_sales);
CREATE TEMP VIEW journal AS
SELECT * FROM main.journal WHERE +sale_id IN (SELECT sale_id FROM ledger.archived_sales);
CREATE TEMP VIEW orders AS
SELECT * FROM main.orders WHERE +sale_id IN (SELECT sale_id FROM ledger.archived_sales);
CREATE TEMP VIEW holdings AS
SELECT * FROM main.holdings WHERE +sale_id IN (SELECT sale_id FROM ledger.archived_sales);
CREATE TEMP VIEW audit_trail AS SELECT * FROM ledger.audit_trail;
