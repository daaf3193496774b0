-- name: find_network_of_user
-- SQLite takes the network from the row that has the maximum. MariaDB would take any.
SELECT (SELECT network FROM sessions
        WHERE user_id = ?1 AND expires_at > ?2 AND network <> ''
        ORDER BY ends_at DESC LIMIT 1),
       (SELECT max(ends_at) FROM sessions WHERE user_id = ?1 AND expires_at > ?2 AND network <> '');

-- name: count_paid_orders
SELECT count(*)
FROM journal STRAIGHT_JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?1 AND journal.sale_id = ?2 AND journal.state = 2
  AND orders.state = 'paid';

-- name: list_holds_of_buyer
SELECT orders.id
FROM journal STRAIGHT_JOIN orders ON orders.id = journal.order_id
WHERE journal.buyer_id = ?1 AND journal.sale_id = ?2 AND journal.state = 2
  AND orders.state = 'pending' AND orders.expires_at > ?3 AND orders.id > ?4
ORDER BY orders.id LIMIT ?5;
