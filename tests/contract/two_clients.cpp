#include "contract/two_clients.hpp"

#include "base/run_to_end.hpp"

namespace sluice::contract {

void TwoClientsContract::expect_books_in_order() {
    const auto stored = stored_sale();
    EXPECT_EQ(stored.stock.total, stored.stock.left + stored.stock.held + stored.stock.sold);
    std::int64_t held = 0;
    for (const auto& [buyer, units] : holdings()) held += units;
    EXPECT_EQ(held, stored.stock.held + stored.stock.sold);
    const auto rows = outbox();
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i].seq, static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(stored.hot_seq, static_cast<std::int64_t>(rows.size()));
    EXPECT_EQ(ledgers->broken_links(), std::vector<Notice>{});
}

std::size_t TwoClientsContract::deeds_written() {
    return run_to_end(ledgers->all().trail().list({}, 1'000)).size();
}

}  // namespace sluice::contract
