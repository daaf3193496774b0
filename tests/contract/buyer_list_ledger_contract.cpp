#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using How = BuyerListLedger::How;
using Buyers = std::vector<ListedBuyer>;

class BuyerListLedgerContract : public contract::LedgerContract {
  protected:
    BuyerListLedger& lists = ledgers->all().buyer_lists();
    const SaleId sale{1};
    std::int64_t deeds = 100;

    void SetUp() override {
        add_user(1);
        add_item(1);
        auto made = make_sale(1, ItemId{1});
        made.stock = {.total = 10, .left = 10, .held = 0, .sold = 0};
        ASSERT_TRUE(run_to_end(ledgers->all().catalog().add_sale(made, make_deed(50), {})));
    }
    Outcome<BuyerListLedger::Changed> change(Buyers buyers, How how, SaleId of = SaleId{1}) {
        const auto deed = make_deed(++deeds);
        return run_to_end(
            lists.change({.sale = of,
                          .how = how,
                          .buyers = std::move(buyers),
                          .make_deed = [deed](const ListCounts& before, const ListCounts& after) {
                              auto told = deed;
                              told.before = std::to_string(before.listed);
                              told.after = std::to_string(after.listed);
                              return told;
                          }}));
    }
    ListCounts counts() { return run_to_end(lists.show(sale)).counts; }
    bool names(std::int64_t user, const PhoneForm& form = PhoneForm()) {
        return run_to_end(lists.names(sale, UserId{user}, form));
    }
    Sale stored() { return run_to_end(ledgers->all().catalog().load()).sales.at(0); }
    BuyerListLedger::Page page(std::optional<ListedBuyer> after, std::size_t limit,
                               std::optional<std::int64_t> edition = {}) {
        return run_to_end(lists.page(
            {.sale = sale, .edition = edition, .after = std::move(after), .limit = limit}));
    }
};

TEST_P(BuyerListLedgerContract, ASaleHasNoListAtFirst) {
    const auto list = run_to_end(lists.show(sale));
    EXPECT_EQ(list.counts, ListCounts{});
    EXPECT_EQ(list.changed_at, std::nullopt);
    EXPECT_FALSE(names(1));
    EXPECT_THAT(page({}, 10).buyers, IsEmpty());
}

TEST_P(BuyerListLedgerContract, ReplacesExtendsAndClears) {
    auto changed = change({UserId{7}, "+1", "+2"}, How::replace);
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->before, ListCounts{});
    EXPECT_EQ(changed->after, (ListCounts{3, 2}));
    EXPECT_EQ(counts(), (ListCounts{3, 2}));
    EXPECT_EQ(run_to_end(lists.show(sale)).changed_at, make_deed(1).at);
    changed = change({UserId{7}, UserId{8}, "+2", "+3"}, How::append);
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->after, (ListCounts{5, 3})) << "nobody is on it twice";
    changed = change({UserId{9}}, How::replace);
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->before, (ListCounts{5, 3}));
    EXPECT_EQ(counts(), (ListCounts{1, 0}));
    EXPECT_TRUE(names(9));
    EXPECT_FALSE(names(7)) << "those who were replaced count no more";
    ASSERT_TRUE(change({}, How::replace));
    EXPECT_EQ(counts(), ListCounts{});
    EXPECT_FALSE(names(9));
}

TEST_P(BuyerListLedgerContract, EachChangeHasADeedAndNewsOfTheSale) {
    const auto before = stored();
    const auto changed = change({UserId{7}, "+1"}, How::replace);
    ASSERT_TRUE(changed);
    const auto after = stored();
    EXPECT_EQ(after.list_version, before.list_version + 1);
    EXPECT_GT(after.news_seq, before.news_seq) << "so that other nodes hear of it";
    EXPECT_EQ(after.version, before.version) << "an edit under way is not disturbed";
    EXPECT_EQ(changed->sale, after);
    const auto trail = run_to_end(ledgers->all().trail().list({}, 10));
    EXPECT_EQ(trail[0].deed.before, "0");
    EXPECT_EQ(trail[0].deed.after, "2");
    ASSERT_TRUE(change({UserId{7}}, How::append));
    EXPECT_EQ(stored().list_version, before.list_version + 2);
}

TEST_P(BuyerListLedgerContract, FindsAUserByIdAndByPhoneAlsoOneWhoRegistersLater) {
    const auto phone = make_user(5).phone;
    ASSERT_TRUE(change({UserId{4}, phone}, How::replace));
    EXPECT_TRUE(names(4)) << "by id, whoever that is";
    EXPECT_FALSE(names(5)) << "there is no such user yet";
    add_user(5);
    add_user(6);
    EXPECT_TRUE(names(5));
    EXPECT_FALSE(names(6));
    EXPECT_FALSE(run_to_end(lists.names(SaleId{2}, UserId{5}, PhoneForm())));
}

TEST_P(BuyerListLedgerContract, APhoneCountsInEverySpelling) {
    const PhoneForm china(find_country("CN"));
    auto account = make_account(5);
    account.user.phone = "13800138000";
    ASSERT_TRUE(run_to_end(ledgers->all().users().add(account, {})));
    ASSERT_TRUE(change({"+8613800138000"}, How::replace));
    EXPECT_TRUE(names(5, china));
    EXPECT_FALSE(names(5)) << "without a country they are two phones";
}

TEST_P(BuyerListLedgerContract, PagesGoThroughPhonesAndThenIds) {
    ASSERT_TRUE(change({UserId{7}, UserId{12}, "+2", "+1"}, How::replace));
    const auto first = page({}, 3);
    EXPECT_THAT(first.buyers,
                ElementsAre(ListedBuyer("+1"), ListedBuyer("+2"), ListedBuyer(UserId{7})));
    EXPECT_THAT(page(first.buyers.back(), 3, first.edition).buyers,
                ElementsAre(ListedBuyer(UserId{12})));
    EXPECT_THAT(page("+1", 1, first.edition).buyers, ElementsAre(ListedBuyer("+2")));
    EXPECT_THAT(page(UserId{12}, 3, first.edition).buyers, IsEmpty());
    ASSERT_TRUE(change({UserId{8}}, How::append));
    EXPECT_EQ(page({}, 1).edition, first.edition);
    ASSERT_TRUE(change({UserId{9}}, How::replace));
    const auto late = page(first.buyers.back(), 3, first.edition);
    EXPECT_THAT(late.buyers, IsEmpty());
    EXPECT_NE(late.edition, first.edition) << "the list was replaced";
}

TEST_P(BuyerListLedgerContract, RefusesForASaleThatIsNotThereAndWritesNothing) {
    const auto changed = change({UserId{7}}, How::replace, SaleId{99});
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().reason, Reason::not_found);
    EXPECT_EQ(run_to_end(lists.show(SaleId{99})).changed_at, std::nullopt);
}

TEST_P(BuyerListLedgerContract, FormerRowsAndListsOfSalesThatAreOverAreRemovedInSteps) {
    ASSERT_TRUE(change({UserId{7}, UserId{8}, "+1"}, How::replace));
    EXPECT_EQ(run_to_end(lists.prune(now, 10)), 0U) << "the sale goes on";
    ASSERT_TRUE(change({UserId{9}, "+2"}, How::replace));
    EXPECT_EQ(run_to_end(lists.prune(now, 2)), 2U);
    EXPECT_EQ(run_to_end(lists.prune(now, 2)), 1U);
    EXPECT_EQ(run_to_end(lists.prune(now, 2)), 0U);
    EXPECT_EQ(counts(), (ListCounts{2, 1}));
    const auto ends = stored().ends_at.value();
    EXPECT_EQ(run_to_end(lists.prune(ends, 10)), 0U);
    EXPECT_EQ(run_to_end(lists.prune(ends + std::chrono::milliseconds{1}, 10)), 2U);
    EXPECT_EQ(counts(), ListCounts{});
    EXPECT_FALSE(names(9));
    EXPECT_EQ(run_to_end(lists.prune(ends + std::chrono::milliseconds{1}, 10)), 0U);
}

RUN_ON_EVERY_ADAPTER(BuyerListLedgerContract);

}  // namespace
}  // namespace sluice
