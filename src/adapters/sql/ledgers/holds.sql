-- name: list_pending_of_sale
SELECT orders.buyer_id, orders.id, network, quantity, created_at, expires_at
FROM orders LEFT JOIN hold_networks
  ON hold_networks.sale_id = orders.sale_id AND hold_networks.mark = orders.mark
WHERE orders.sale_id = ?1 AND orders.state = 'pending';

-- name: list_lapses
-- Of one state: both are stretches of the sale's index, in the order of the ids.
SELECT orders.buyer_id, orders.id, network
FROM orders LEFT JOIN hold_networks
  ON hold_networks.sale_id = orders.sale_id AND hold_networks.mark = orders.mark
WHERE orders.sale_id = ?1 AND orders.state = ?2
ORDER BY orders.id DESC LIMIT ?3;

-- name: list_archived_lapses
-- In the archive, where networks are not kept.
SELECT buyer_id, id FROM orders WHERE sale_id = ?1 AND state = ?2 ORDER BY id DESC LIMIT ?3;

-- name: find_network_of_user
-- Of the latest log-in: a session ends as long after its log-in as every other. The row is the one
-- that has the maximum.
SELECT network, max(ends_at) FROM sessions
WHERE user_id = ?1 AND expires_at > ?2 AND network <> '';

-- name: count_paid_orders
-- By way of the journal, which keeps a buyer's tickets together.
SELECT count(*)
FROM journal CROSS JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?1 AND journal.sale_id = ?2 AND journal.state = 2
  AND orders.state = 'paid';

-- name: list_holds_of_buyer
SELECT orders.id
FROM journal CROSS JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?1 AND journal.sale_id = ?2 AND journal.state = 2
  AND orders.state = 'pending' AND orders.expires_at > ?3 AND orders.id > ?4
ORDER BY orders.id LIMIT ?5;

-- name: list_holds_of_sale
SELECT orders.buyer_id, orders.id, network
FROM orders LEFT JOIN hold_networks
  ON hold_networks.sale_id = orders.sale_id AND hold_networks.mark = orders.mark
WHERE orders.sale_id = ?1 AND orders.state = 'pending' AND orders.expires_at > ?2 AND orders.id > ?3
ORDER BY orders.id;
