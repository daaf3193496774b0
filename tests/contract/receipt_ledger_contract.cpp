#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

class ReceiptLedgerContract : public contract::LedgerContract {};

TEST_P(ReceiptLedgerContract, PrunesInBitesWhatIsOlder) {
    auto& receipts = ledgers->all().receipts();
    for (int id = 1; id <= 5; ++id)
        ASSERT_TRUE(run_to_end(ledgers->all().users().add(
            make_account(id), make_receipt(std::to_string(id), 1, std::to_string(id)))));

    EXPECT_EQ(run_to_end(receipts.prune(now, 10)), 0U);
    const auto after = now + std::chrono::milliseconds{1};
    EXPECT_EQ(run_to_end(receipts.prune(after, 3)), 3U);
    EXPECT_EQ(run_to_end(receipts.prune(after, 3)), 2U);

    // A pruned key can be used again.
    EXPECT_FALSE(
        run_to_end(ledgers->all().users().add(make_account(6), make_receipt("1", 2, "new")))
            ->first_answer);
}

TEST_P(ReceiptLedgerContract, KeepsScopesApart) {
    auto other = make_receipt("k", 2, "other");
    other.scope = "2 POST /items";
    EXPECT_TRUE(
        run_to_end(ledgers->all().users().add(make_account(1), make_receipt("k", 1, "one"))));
    EXPECT_FALSE(run_to_end(ledgers->all().users().add(make_account(2), other))->first_answer);
}

RUN_ON_EVERY_ADAPTER(ReceiptLedgerContract);

}  // namespace
}  // namespace sluice
