-- name: has_sale
SELECT 1 FROM sales WHERE id = ?1;

-- name: audit_stock_adds_up
-- Each query of what breaks a promise has a rule of domain/notice.hpp, which has its sentence, and the arguments
-- of the rule as a JSON array. Queries for tickets have the sale and the mark before them: the first argument.
SELECT 'stock_does_not_add_up',
       json_array(id, stock_total, stock_left, stock_held, stock_sold)
FROM sales
WHERE (?1 IS NULL OR id = ?1)
  AND (stock_total <> stock_left + stock_held + stock_sold
       OR stock_left < 0 OR stock_held < 0 OR stock_sold < 0);

-- name: audit_stock_matches_orders
-- An archived sale is counted in the archive, which has its orders and calls none archived.
WITH units AS MATERIALIZED (
    SELECT sale_id, sum(CASE WHEN state = 'pending' THEN quantity END) AS pending,
           sum(CASE WHEN state = 'paid' THEN quantity END) AS paid
    FROM orders
    WHERE ?1 IS NULL OR sale_id = ?1
    GROUP BY sale_id
)
SELECT 'stock_differs_from_orders',
       json_array(id, stock_held, stock_sold, coalesce(pending, 0), coalesce(paid, 0))
FROM sales LEFT JOIN units ON units.sale_id = sales.id
WHERE (?1 IS NULL OR id = ?1) AND id NOT IN (SELECT sale_id FROM archived_sales)
  AND (stock_held <> coalesce(pending, 0) OR stock_sold <> coalesce(paid, 0));

-- name: audit_sales_are_there
SELECT 'order_without_sale', json_array(id, sale_id)
FROM orders
WHERE (?1 IS NULL OR sale_id = ?1) AND sale_id NOT IN (SELECT id FROM sales);

-- name: audit_limits
-- Live orders against holdings in both directions, in one sort.
SELECT 'units_break_limit',
       json_array(buyer_id, sale_id, sum(live), sum(held),
                  (SELECT limit_per_buyer FROM sales WHERE id = sale_id))
FROM (
    SELECT sale_id, buyer_id, quantity AS live, 0 AS held
    FROM orders WHERE state IN ('pending', 'paid')
    UNION ALL
    SELECT sale_id, buyer_id, 0, units FROM holdings WHERE units > 0
) AS units
WHERE ?1 IS NULL OR sale_id = ?1
GROUP BY sale_id, buyer_id
HAVING sum(live) <> sum(held)
    OR sum(live) > (SELECT limit_per_buyer FROM sales WHERE id = sale_id);

-- name: audit_late
-- What is parked waits for an operator, and is told of apart.
SELECT sale_id, hex(mark), 'ticket_still_prepared', json_array(buyer_id, sale_id)
FROM journal
WHERE state = 1 AND claimed_at < ?2 AND (?1 IS NULL OR sale_id = ?1)
  AND NOT EXISTS (SELECT 1 FROM parked_tickets
                  WHERE parked_tickets.sale_id = journal.sale_id
                    AND parked_tickets.mark = journal.mark AND decided = 0);

-- name: audit_parked
-- A ticket that is decided is taken off within a minute. When a refusal was written is not on record, so there the
-- last try counts.
SELECT parked_tickets.sale_id, hex(parked_tickets.mark), 'ticket_parked_and_decided',
       json_array(parked_tickets.buyer_id, parked_tickets.sale_id)
FROM parked_tickets JOIN journal
  ON journal.buyer_id = parked_tickets.buyer_id AND journal.sale_id = parked_tickets.sale_id
 AND journal.mark = parked_tickets.mark
LEFT JOIN orders ON orders.id = order_id
WHERE decided = 0 AND journal.state <> 1 AND (?1 IS NULL OR parked_tickets.sale_id = ?1)
  AND tried_at < ?2 AND coalesce(orders.created_at, 0) < ?2;

-- name: audit_waiting
-- Tickets that are prepared, and tickets that are parked; both count where both are so.
SELECT (SELECT count(*) FROM journal WHERE state = 1 AND (?1 IS NULL OR sale_id = ?1)),
       (SELECT count(*) FROM parked_tickets WHERE decided = 0 AND (?1 IS NULL OR sale_id = ?1)),
       (SELECT min(parked_at) FROM parked_tickets
        WHERE decided = 0 AND (?1 IS NULL OR sale_id = ?1));

-- name: audit_tickets_have_orders
SELECT journal.sale_id, hex(journal.mark),
       CASE WHEN orders.id IS NULL THEN 'ticket_without_order' ELSE 'ticket_differs_from_order' END,
       json_array(journal.buyer_id, journal.sale_id, order_id)
FROM journal LEFT JOIN orders ON orders.id = order_id
WHERE journal.state = 2 AND (?1 IS NULL OR journal.sale_id = ?1)
  AND (orders.id IS NULL OR orders.buyer_id <> journal.buyer_id
       OR orders.sale_id <> journal.sale_id OR orders.mark <> journal.mark
       OR orders.quantity <> journal.quantity);

-- name: audit_orders_have_tickets
-- No two tickets can fit one order, so where every ticket fits its own and there are as many, no
-- order is without one. Looking each up costs far more than counting.
SELECT 'order_without_ticket', json_array(orders.id, orders.sale_id)
FROM orders LEFT JOIN journal
  ON journal.buyer_id = orders.buyer_id AND journal.sale_id = orders.sale_id
 AND journal.mark = orders.mark
WHERE (SELECT count(*) FROM orders WHERE ?1 IS NULL OR sale_id = ?1)
      <> (SELECT count(*) FROM journal WHERE state = 2 AND (?1 IS NULL OR sale_id = ?1))
  AND (?1 IS NULL OR orders.sale_id = ?1)
  AND (coalesce(journal.state, 0) <> 2 OR journal.order_id <> orders.id);

-- name: audit_tickets_are_found
-- A buyer's latest ticket stands in their holdings, and only the earlier ones are in the indexes.
SELECT sale_id, hex(mark), 'ticket_not_found', json_array(buyer_id, sale_id)
FROM journal LEFT JOIN holdings USING (sale_id, buyer_id)
WHERE (?1 IS NULL OR sale_id = ?1)
  AND (holdings.units IS NULL OR (superseded = 0) <> coalesce(mark = latest, 0));

-- name: audit_payments
SELECT CASE WHEN paid_at IS NULL THEN 'order_lacks_payment_time'
            ELSE 'order_has_payment_time' END,
       json_array(id, sale_id, state)
FROM orders
WHERE (?1 IS NULL OR sale_id = ?1)
  AND (state IN ('paid', 'refunded')) <> (paid_at IS NOT NULL);

-- name: audit_captures
-- Each capture paid its order, and the order is what became of the money.
SELECT CASE WHEN charge_id IS NULL THEN 'capture_differs_from_order'
            ELSE 'returned_capture_differs' END,
       json_array(orders.id, sale_id, state, price_cents * quantity, orders.currency, amount_cents,
                  charges.currency)
FROM charges CROSS JOIN orders ON orders.id = charges.order_id
LEFT JOIN refunds ON charge_id = charges.id
WHERE captures = 1 AND (?1 IS NULL OR sale_id = ?1)
  AND (state <> CASE WHEN charge_id IS NULL THEN 'paid' ELSE 'refunded' END
       OR amount_cents <> price_cents * quantity OR charges.currency <> orders.currency);

-- name: audit_capture_count
SELECT 'order_without_one_capture',
       json_array(orders.id, sale_id, state,
                  (SELECT count(*) FROM charges WHERE order_id = orders.id AND captures = 1))
FROM orders
WHERE state IN ('paid', 'refunded') AND (?1 IS NULL OR sale_id = ?1)
  AND (SELECT count(*) FROM charges WHERE order_id = orders.id AND captures = 1) <> 1;

-- name: audit_refunds
-- Only one of the rules has the reason as its last argument; for the others it is left out.
SELECT CASE WHEN charge_id IS NULL THEN 'charge_not_owed_back'
            WHEN refunds.provider <> charges.provider OR refunds.order_id <> charges.order_id
            THEN 'refund_elsewhere'
            WHEN captures = 1 THEN 'capture_sent_back'
            ELSE 'refund_of_other_order' END,
       json_array(charges.provider_ref, charges.order_id, sale_id, coalesce(reason, ''))
FROM charges LEFT JOIN refunds ON charge_id = charges.id
LEFT JOIN orders ON orders.id = charges.order_id
WHERE (captures = 0 OR charge_id IS NOT NULL) AND (?1 IS NULL OR sale_id = ?1)
  AND (charge_id IS NULL OR (captures = 1) <> (reason = 'operator')
       OR refunds.provider <> charges.provider OR refunds.order_id <> charges.order_id);

-- name: audit_payment_states
SELECT 'payment_differs_from_order',
       json_array(payments.id, orders.id, sale_id, payments.state, amount_cents, payments.currency)
FROM payments JOIN orders ON orders.id = order_id
WHERE (?1 IS NULL OR sale_id = ?1)
  AND (amount_cents <> price_cents * quantity OR payments.currency <> orders.currency
       OR (payments.state = 'captured')
          <> EXISTS (SELECT 1 FROM charges LEFT JOIN refunds ON charge_id = charges.id
                     WHERE payment_id = payments.id AND captures = 1 AND charge_id IS NULL));

-- name: audit_windows
-- The ledger refuses what it gets after the operator's end, and what it wrote before has an order
-- with a smaller id than the deed. So a claim counts only if its order is younger than the deed:
-- the ids of one process grow whatever its clock does. Without a deed, as when the sale was ended by
-- SQL, there is nothing to compare with. Deeds from before migration 12 were dated
-- when they were asked for, and have two seconds to take effect.
WITH ends AS MATERIALIZED (
    SELECT CAST(subject AS INTEGER) AS ended_sale, max(id) AS deed,
           iif(max(at) < (SELECT applied_at FROM migrations
                          WHERE name LIKE '%deeds_from_their_commit%'), 2000, 0) AS grace
    FROM audit_trail
    WHERE action = 'sale.end'
    GROUP BY subject
)
SELECT sale_id, hex(mark),
       CASE WHEN claimed_at < starts_at THEN 'claimed_before_start'
            WHEN claimed_at >= ends_at THEN 'claimed_after_window'
            ELSE 'claimed_after_end' END,
       json_array(buyer_id, sale_id)
FROM journal CROSS JOIN sales ON sales.id = sale_id LEFT JOIN ends ON ended_sale = sale_id
WHERE journal.state = 2 AND (?1 IS NULL OR sale_id = ?1)
  AND (claimed_at < starts_at OR claimed_at >= ends_at
       OR (claimed_at > ended_at + grace AND order_id > deed));

-- name: audit_pauses
-- As with an end. What the ledger wrote after a pause was claimed after the resume, or it would have
-- refused it; the pause that counts for a ticket is the last one before its order.
WITH pauses AS MATERIALIZED (
    SELECT CAST(pause.subject AS INTEGER) AS paused_sale, pause.id AS deed,
           pause.at + iif(pause.at < (SELECT applied_at FROM migrations
                                      WHERE name LIKE '%deeds_from_their_commit%'), 2000, 0) AS since,
           (SELECT at FROM audit_trail
            WHERE subject = pause.subject AND action = 'sale.resume' AND id > pause.id
            ORDER BY id LIMIT 1) AS until,
           lead(pause.id) OVER (PARTITION BY pause.subject ORDER BY pause.id) AS next_deed
    FROM audit_trail AS pause
    WHERE pause.action = 'sale.pause'
)
SELECT sale_id, hex(mark), 'claimed_in_pause', json_array(buyer_id, sale_id)
FROM journal CROSS JOIN pauses ON paused_sale = sale_id
WHERE state = 2 AND (?1 IS NULL OR sale_id = ?1)
  AND order_id > deed AND (next_deed IS NULL OR order_id < next_deed)
  AND claimed_at > since AND (until IS NULL OR claimed_at < until);

-- name: audit_owed
-- What each provider has still to send back: how many, how much of each currency, and since when.
SELECT count(*), sum(charges.amount_cents), charges.currency, min(owed_at), charges.provider
FROM refunds JOIN charges ON charges.id = charge_id JOIN orders ON orders.id = charges.order_id
WHERE done_at IS NULL AND (?1 IS NULL OR sale_id = ?1)
GROUP BY charges.provider, charges.currency
ORDER BY charges.provider, charges.currency;

-- name: audit_outbox_has_all
-- What the orders since a webhook was made have been through, less what it was or will be told.
-- Older events may have been forgotten by now, and an order may be a moment older than its event.
WITH past (state, type) AS (
    VALUES ('pending', 'order.created'), ('paid', 'order.created'), ('paid', 'order.paid'),
           ('expired', 'order.created'), ('expired', 'order.expired'),
           ('cancelled', 'order.created'), ('cancelled', 'order.cancelled'),
           ('refunded', 'order.created'), ('refunded', 'order.paid'), ('refunded', 'order.refunded')
)
SELECT 'event_not_planned', json_array(webhook, type, lane)
FROM (
    SELECT webhooks.id AS webhook, orders.id AS lane, past.type AS type
    FROM webhooks CROSS JOIN orders ON orders.id > after_order
    CROSS JOIN past ON past.state = orders.state
    CROSS JOIN webhook_wants ON webhook_id = webhooks.id AND webhook_wants.type = past.type
    WHERE deleted_at IS NULL AND (?1 IS NULL OR sale_id = ?1)
      AND orders.created_at > (pruned_to >> 20) + 1000
    EXCEPT
    SELECT webhook_id, webhook_events.lane, type
    FROM webhook_deliveries CROSS JOIN webhook_events ON webhook_events.id = event_id
) AS missing;

-- name: audit_outbox_order
-- Of one order to one webhook: only the first that is pending is due, and none is done before an
-- earlier one. Not by their times, since a clock may be set back. An operator who sends one again decides for themselves.
WITH told AS (
    SELECT webhook_id, event_id, lane, state, due_at, resends,
           count(CASE WHEN state = 'pending' THEN 1 END) OVER before_it AS pending_before,
           max(resends) OVER (PARTITION BY webhook_id, lane) AS resent
    FROM webhook_deliveries
    WINDOW before_it AS (PARTITION BY webhook_id, lane ORDER BY event_id
                         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
SELECT CASE WHEN state = 'pending' AND pending_before = 0 THEN 'event_never_due'
            WHEN state = 'pending' THEN 'event_does_not_wait'
            ELSE 'event_too_early' END,
       json_array(webhook_id, event_id)
FROM told
WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = webhook_id AND deleted_at IS NULL)
  AND (?1 IS NULL OR lane = -?1 OR (SELECT sale_id FROM orders WHERE id = lane) = ?1)
  AND ((state = 'pending' AND (due_at IS NOT NULL) <> (pending_before = 0))
       OR (resent = 0 AND state <> 'pending' AND pending_before > 0));

-- name: audit_outbox_events
-- A delivery without its event cannot be made, and an event that was forgotten is owed to nobody.
SELECT 'event_missing', json_array(webhook_id, event_id)
FROM webhook_deliveries
WHERE ?1 IS NULL AND NOT EXISTS (SELECT 1 FROM webhook_events WHERE id = event_id);

-- name: audit_accepted
-- What was accepted stands in the deed of its restore, and so in the chain.
SELECT finding.value
FROM audit_trail,
     json_each(iif(json_valid(state_after), state_after, '{}'), '$.accepted') AS promise,
     json_each(promise.value, '$.findings') AS finding
WHERE action = 'ledger.restore' AND promise.value ->> '$.promise' = ?1 AND finding.type = 'text';
