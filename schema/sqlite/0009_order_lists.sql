-- What listing orders needs. Ids grow with time, so each list is in the order of its index.

-- A purchase appends to the end of its sale's pending orders, a page that is warm anyway.
CREATE INDEX orders_by_sale ON orders (sale_id, state);

-- Without pending orders, so that it costs a purchase nothing: those are found by the sales that
-- hold units.
CREATE INDEX orders_by_outcome ON orders (state) WHERE state <> 'pending';
