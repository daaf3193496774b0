#include "app/catalog/sold_out_flags.hpp"

#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/scripted_ports.hpp"

namespace sluice {
namespace {

class SoldOutFlagsTest : public testing::Test {
  protected:
    testing_support::EmptyCatalogLedger ledger;
    testing_support::ScriptedGate gate;
    Catalog catalog{ledger};
    SoldOutFlags flags{catalog};
    Sale sale;

    void SetUp() override {
        Item item;
        item.id = ItemId{1};
        catalog.put(item);
        sale.id = SaleId{1};
        sale.item_id = item.id;
        catalog.put(sale);
    }
    bool is_up() { return SoldOutFlags::is_up(*catalog.sale(sale.id)); }
};

TEST_F(SoldOutFlagsTest, FollowsTheSignals) {
    EXPECT_FALSE(is_up());
    flags.sold_out(sale.id);
    flags.sold_out(sale.id);
    EXPECT_TRUE(is_up());
    flags.restocked(sale.id);
    EXPECT_FALSE(is_up());
    flags.sold_out(SaleId{9});
    EXPECT_FALSE(is_up()) << "that was a sale nobody knows";
}

TEST_F(SoldOutFlagsTest, StaysUpWhenTheSaleIsEdited) {
    flags.sold_out(sale.id);
    sale.version = 2;
    catalog.put(sale);
    EXPECT_TRUE(is_up());
}

TEST_F(SoldOutFlagsTest, HealsWhenTheSignalWasLost) {
    flags.sold_out(sale.id);
    gate.seen.left = 0;
    run_to_end(flags.heal(gate));
    EXPECT_TRUE(is_up());
    gate.seen.left = 1;
    run_to_end(flags.heal(gate));
    EXPECT_FALSE(is_up());
    flags.sold_out(sale.id);
    EXPECT_TRUE(is_up()) << "and goes up again";
}

TEST_F(SoldOutFlagsTest, ASaleWithoutAHotCopyNeedsNoFlag) {
    flags.sold_out(sale.id);
    gate.seen = {};
    run_to_end(flags.heal(gate));
    EXPECT_FALSE(is_up());
}

}  // namespace
}  // namespace sluice
