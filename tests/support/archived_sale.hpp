#pragma once

#include <filesystem>

#include "adapters/sqlite/archive/archive_move.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "support/deed_at.hpp"

namespace sluice::testing_support {

// Sale 1 ended long ago. Its one order, 1, was paid by buyer 1.

inline void add_ended_sale(const std::filesystem::path& ledger) {
    sqlite::Database::open_writer(ledger).run_script(R"(
        INSERT INTO items VALUES (1, 'Kettle', '', '', 5, 'CNY', 1, 0, '', '', 0);
        INSERT INTO sales VALUES (1, 1, 'flash', 5, 'CNY', 1000, 1000000, NULL, 0, 10, 9, 0, 1, 2,
                                  900, 'none', 1, 1, 0, 1, NULL, NULL, 0, 0, 3, 'none', '', '', '', 'everyone', NULL, 0);
        INSERT INTO orders VALUES (1, 1, 1, 1, zeroblob(16), 1, 5, 'CNY', 'paid', 2000, 902000,
                                   3000);
        INSERT INTO journal VALUES (1, 1, zeroblob(16), 1, 1, 2, NULL, 1, zeroblob(16), NULL, 2000,
                                    0, NULL);
        INSERT INTO holdings VALUES (1, 1, 1, zeroblob(16));
        INSERT INTO payments VALUES (1, 1, 'sandbox', 5, 'CNY', 'captured', 'bill', '/pay', 2000);
        INSERT INTO charges VALUES (1, 1, 1, 'sandbox', 'charge', 5, 'CNY', 1, 3000);
        INSERT INTO payment_events VALUES ('sandbox', 'event', 1, 'payment.succeeded', 'captured',
                                           3000);)");
}

/// As an operator does it, and the provider carries it out.
inline void refund_ended_sale(const std::filesystem::path& ledger) {
    sqlite::Database::open_writer(ledger).run_script(R"(
        UPDATE orders SET state = 'refunded' WHERE id = 1;
        UPDATE payments SET state = 'refunded' WHERE id = 1;
        UPDATE holdings SET units = 0 WHERE sale_id = 1;
        UPDATE sales SET stock_left = 10, stock_sold = 0 WHERE id = 1;
        INSERT INTO refunds VALUES (1, 'operator', 4000, 1, NULL, 5000, 'sandbox', 1, 0);)");
}

inline void archive_ended_sale(const std::filesystem::path& ledger, std::int64_t at) {
    sqlite::archive_sale({.ledger = ledger,
                          .sale = SaleId{1},
                          .ended_before = from_millis(at),
                          .deed = deed_at(at, "sale.archive")});
}

inline void bring_ended_sale_back(const std::filesystem::path& ledger, std::int64_t at) {
    sqlite::bring_back_sale(ledger, SaleId{1}, deed_at(at, "sale.bring_back"));
}

}  // namespace sluice::testing_support
