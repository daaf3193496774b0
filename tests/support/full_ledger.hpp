#pragma once

#include "adapters/sql/database.hpp"

namespace sluice::testing_support {

/// What is kept for a while: beside the orders of a sale, and uploaded pictures, one without a
/// size.
inline void fill_passing_tables(sql::Database& sqlite) {
    sqlite.run_script(R"(
        INSERT INTO hot_outbox VALUES (1, 1, 7, -3, NULL, 0, 1), (5, 1, 6, 3, 1, -1, 1);
        INSERT INTO buyer_lists VALUES (1, 0, 0, 0, 1), (2, 9223372036854775807, 3, 2, -1);
        INSERT INTO listed_buyers VALUES (2, 1, '+8613800138000', 0), (2, 1, '', 7),
            (2, 9223372036854775807, '+1', 0);
        INSERT INTO hold_networks VALUES (1, zeroblob(16), '203.0.113.7', 9223372036854775807),
            (9223372036854775807, x'00ff00ff00ff00ff00ff00ff00ff00ff', '', -9223372036854775808);
        INSERT INTO contacts VALUES (1, '李雷 🎁', '+86 1', 'a
b', '', 1), (9223372036854775807, '', '', '', '', 9223372036854775807);
        INSERT INTO order_contacts VALUES (1, 1, '李雷 🎁', '+86 1', 'a
b', '', 1), (9223372036854775807, 9223372036854775807, '', '', '', '', -9223372036854775808);
        INSERT INTO order_deliveries VALUES (1, 1, 'shipped', '顺丰 🚚', 'SF 1', 1),
            (9223372036854775807, 9223372036854775807, 'none', '', '', -9223372036854775808);
        INSERT INTO pictures VALUES (zeroblob(32), 9223372036854775807, 1, -9223372036854775808),
            (x'ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00', 1, 1, 1);
        INSERT INTO picture_sizes VALUES (zeroblob(32), 320, 1, x'ffd800'), (zeroblob(32), 1280, 2560, x'');
    )");
}

/// At least one row in each table that is copied, with values at the edges of what it takes: the
/// largest and the smallest number, NULL wherever it may stand and something in its place, an empty
/// text, characters of four bytes, quotes, a zero byte in a blob. It keeps no promise of a shop.
/// For SQLite, with triggers off.
inline void fill_every_table(sql::Database& sqlite) {
    sqlite.run_script(R"(
        INSERT INTO users VALUES (1, '+8613800000001', '小红 🎁 "x" ''y'' \', 'admin', NULL, 0),
            (9223372036854775807, '', '', 'buyer', '$argon2id$', -9223372036854775808);
        INSERT INTO sessions VALUES (zeroblob(32), 1, 5, 9223372036854775807, 1, '2001:db8::/64'),
            (x'ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00',
             9223372036854775807, -1, 0, 0, '');
        INSERT INTO second_factors VALUES (1, zeroblob(60), 1, 9223372036854775807);
        INSERT INTO recovery_codes VALUES (1, zeroblob(32)),
            (1, x'0101010101010101010101010101010101010101010101010101010101010101');
        INSERT INTO blocks VALUES (1, '192.0.2.0/24', '🚫', NULL, 1, 1), (2, '7', '', 5, 1, 1);
        INSERT INTO settings VALUES ('limits.a', -1, 0), ('é', 9223372036854775807, 1);
        INSERT INTO receipts VALUES ('a', '', zeroblob(32), '{"a":"😀"}', 1),
            ('a', 'B', zeroblob(32), '', 2), ('a', 'b', zeroblob(32), '', 3),
            ('é', 'b', zeroblob(32), '', 4);
        INSERT INTO items VALUES (1, '红色 🧧', char(10) || char(9) || '%_', '', 0, 'CNY',
                                  1, 1, '', '', 0),
            (2, '', '', '', 0, 'CNY', 1, 1, '茶 🍵', '/a.png' || char(10) || 'https://x/🎁', 1);
        INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 1, NULL, NULL, 0, 9, 4, 3, 2, 9, 900,
                                  'none', 1, 1, 0, 9223372036854775807, NULL, NULL, 7, 8, 3, 'none',
                                  '', '', '', 'everyone', NULL, 0),
            (2, 1, 'standing', 9223372036854775807, 'CNY', 1, 2, 3, 1, 0, 0, 0, 0, 2, 900, 'pow', 1,
             1, 0, 1, 28, 4, 0, 0, 1000, 'pow',
             '双十一 🎁 "x" ''y'' \', 'C', '一' || char(10) || 'two 🎁', 'listed_first', 9, 5);
        INSERT INTO ticket_key VALUES (1, zeroblob(32));
        INSERT INTO audit_trail VALUES (1, 1, 1, NULL, '', '', 'sale.add', '1', '', '{"t":"🎁"}'),
            (2, 2, NULL, 'root', '::1', 'r', 'user.add', '2', '{}', '');
        INSERT INTO trail_chain VALUES (1, 1, zeroblob(32)), (2, 2, zeroblob(32));
        INSERT INTO journal VALUES (1, 1, zeroblob(16), 1, 1, 2, NULL, 1, zeroblob(16), NULL, 1, 0,
                                    NULL),
            (1, 1, x'00000000000000000000000000000001', 1, 1, 3, 'busy', NULL, zeroblob(16),
             zeroblob(16), 2, 1, zeroblob(16)),
            (1, 2, zeroblob(16), 1, 1, 1, NULL, NULL, zeroblob(16), NULL, 9223372036854775807, 0,
             NULL);
        INSERT INTO parked_tickets VALUES
            (1, zeroblob(16), 1, -9223372036854775808, 1, zeroblob(16), NULL, 1, '坏 🎁', 1, 2, 1, 0),
            (2, zeroblob(16), 9223372036854775807, 1, 1, zeroblob(16), zeroblob(16), 1, '', 1, 1,
             9223372036854775807, 1);
        INSERT INTO orders VALUES (1, 1, 1, 1, zeroblob(16), 1, 5, 'CNY', 'paid', 1, 2, 3),
            (9223372036854775807, 1, 1, 2, zeroblob(16), 2, 0, '', 'pending', 1, 2, NULL);
        INSERT INTO holdings VALUES (1, 1, 9, zeroblob(16)), (1, 2, 0, NULL);
        INSERT INTO order_tallies VALUES (1, 9223372036854775807, 0, 1);
        INSERT INTO archived_sales VALUES (2, 1, 0, 0, zeroblob(32));
        INSERT INTO payments VALUES (1, 1, 'sandbox', 5, 'CNY', 'captured', 'bill', '/pay', 1),
            (2, 1, 'sandbox', 5, 'CNY', 'pending', NULL, NULL, 1);
        INSERT INTO charges VALUES (1, 1, 1, 'sandbox', 'c', 5, 'CNY', 1, 1),
            (2, 1, 1, 'sandbox', 'C', 5, 'CNY', 0, 1);
        INSERT INTO refunds VALUES (1, 'operator', 1, 1, NULL, 5, 'sandbox', 1, 1),
            (2, 'surplus', 1, 0, 9, NULL, 'sandbox', 1, 0);
        INSERT INTO payment_events VALUES ('z', 'came first', 1, 't', 'captured', 1),
            ('a', 'came last', 1, 't', 'noted', 1);
        INSERT INTO sandbox_bills VALUES ('bill', 1, 5, 'CNY', 0, 1, 1);
        INSERT INTO sandbox_letters VALUES (1, '{"a":"🎁"}', 1, 5, NULL), (2, '', 0, NULL, 6);
        INSERT INTO sandbox_refunds VALUES ('k', 'c', 5, 1);
        INSERT INTO funnel_totals VALUES (1, 0, 1, 2, 3, 4, 5, '{"sold_out":3}', 6, 7, 8, 0, 0, 0, 0,
            0, 0), (1, 511, 1, 2, 3, 4, 5, '{}', 6, 7, 8, 9, 10, 11, 12, 13, 14);
        INSERT INTO stats_points VALUES
            (1, 1, 1, 0, 1, 2, 3, 4, 5, '{}', 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17),
            (60, 1, 1, 511, 1, 2, 3, 4, 5, '', 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
             9223372036854775807);
        INSERT INTO webhooks VALUES (1, 'https://example.com/🎁', 1, 0, 0, NULL), (2, '', 1, 1, 1, 5);
        INSERT INTO webhook_wants VALUES ('order.created', 1), ('sale.sold_out', 2);
        INSERT INTO webhook_events VALUES (1, 1, 'order.created', 1, NULL, NULL, NULL, NULL),
            (2, 1, 'sale.sold_out', -1, 9, 0, 7, 2);
        INSERT INTO webhook_deliveries VALUES
            (1, 1, 1, 'delivered', 1, NULL, 1, 0, 5, 200, NULL, 5),
            (2, 2, -1, 'pending', 1, 9, 1, 2, NULL, NULL, 'no answer', NULL);
    )");
    fill_passing_tables(sqlite);
}

}  // namespace sluice::testing_support
