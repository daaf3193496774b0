#include <gmock/gmock.h>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using testing::IsEmpty;
using EraseWish = ContactLedger::EraseWish;

class ContactLedgerContract : public contract::OrderContract {
  protected:
    ContactLedger& contacts = ledgers->all().contacts();
    const UserId buyer{7};
    const Contact li_lei{
        .name = "李雷 🎁", .phone = "+86 139", .address = "1 Main St\n2", .note = ""};

    void SetUp() override {
        OrderContract::SetUp();
        add_user(7);
        add_user(8);
    }
    Order buy_paid(unsigned char number) {
        auto order = buy(7, number);
        ledgers->set_order_state(order.id, OrderState::paid);
        return order;
    }
    Outcome<Done> attach(const Order& order, const Contact& contact) {
        return run_to_end(contacts.attach(order.id, buyer, contact, now));
    }
    std::optional<Contact> contact_of(const Order& order) {
        return run_to_end(contacts.of_order(order.id, buyer)).value().contact;
    }
    void deliver(const Order& order, OrderDeliveryState state) {
        const auto deed = make_deed(++deeds_);
        ASSERT_TRUE(
            run_to_end(ledgers->all().deliveries().change(order.id, {.state = state}, deed)));
    }
    ContactLedger::Erased erase(EraseWish wish, std::optional<Deed> deed = {}) {
        return run_to_end(contacts.erase(wish, std::move(deed)));
    }
    std::vector<TrailLedger::Entry> trail() {
        return run_to_end(ledgers->all().trail().list({}, 100));
    }

  private:
    std::int64_t deeds_ = 8'000;
};

TEST_P(ContactLedgerContract, KeepsWhatABuyerStoredLast) {
    EXPECT_EQ(run_to_end(contacts.find(buyer)), std::nullopt);
    run_to_end(contacts.put(buyer, {.name = "x"}, now));
    run_to_end(contacts.put(buyer, li_lei, now));
    EXPECT_EQ(run_to_end(contacts.find(buyer)), li_lei);
    EXPECT_EQ(run_to_end(contacts.find(UserId{8})), std::nullopt);
}

TEST_P(ContactLedgerContract, AnOrderHasACopyOfItsOwn) {
    const auto order = buy_paid(1), other = buy_paid(2);
    EXPECT_EQ(contact_of(order), std::nullopt);
    ASSERT_TRUE(attach(order, li_lei));
    run_to_end(contacts.put(buyer, {.name = "x"}, now));
    EXPECT_EQ(contact_of(order), li_lei);
    EXPECT_EQ(run_to_end(contacts.of_orders({order.id, other.id})),
              (std::map<OrderId, Contact>{{order.id, li_lei}}));
}

TEST_P(ContactLedgerContract, IsTakenFromTheBuyerWhileTheOrderWaits) {
    const auto order = buy(7, 1);
    EXPECT_EQ(attach(order, li_lei).error().detail, Detail::contact_fixed) << "not paid";
    ledgers->set_order_state(order.id, OrderState::paid);
    EXPECT_EQ(run_to_end(contacts.attach(order.id, UserId{8}, li_lei, now)).error().reason,
              Reason::not_found);
    EXPECT_EQ(run_to_end(contacts.of_order(order.id, UserId{8})).has_value(), false);
    ASSERT_TRUE(attach(order, li_lei));
    deliver(order, OrderDeliveryState::shipped);
    EXPECT_EQ(attach(order, {}).error().detail, Detail::contact_fixed);
    EXPECT_TRUE(run_to_end(contacts.of_order(order.id, buyer)).value().fixed.has_value());
    EXPECT_EQ(contact_of(order), li_lei);
}

TEST_P(ContactLedgerContract, ErasesWhatIsNotNeededInSteps) {
    const auto a = buy_paid(1), b = buy_paid(2), c = buy_paid(3);
    for (const auto& order : {a, b, c}) ASSERT_TRUE(attach(order, li_lei));
    run_to_end(contacts.put(buyer, li_lei, now));
    deliver(a, OrderDeliveryState::delivered);
    ledgers->set_order_state(c.id, OrderState::refunded);

    EXPECT_TRUE(erase({.buyer = buyer, .copies = false, .limit = 9}).stored);
    EXPECT_EQ(contact_of(a), li_lei) << "copies were not asked for";
    auto step = erase({.buyer = buyer, .limit = 2});
    EXPECT_FALSE(step.stored);
    EXPECT_EQ(step.copies, 1u);
    EXPECT_EQ(step.kept, 1u);
    EXPECT_TRUE(step.more);
    step = erase({.buyer = buyer, .after = step.last, .limit = 2});
    EXPECT_EQ(step.copies, 1u);
    EXPECT_FALSE(step.more);
    EXPECT_EQ(contact_of(a), std::nullopt);
    EXPECT_EQ(contact_of(b), li_lei);
    EXPECT_EQ(contact_of(c), std::nullopt);
    EXPECT_EQ(erase({.buyer = UserId{8}, .all = true, .limit = 9}).copies, 0u);
    EXPECT_EQ(contact_of(b), li_lei) << "that was somebody else";
}

TEST_P(ContactLedgerContract, ErasesAllForAnOperatorAndTheDeedHasOnlyNumbers) {
    const auto order = buy_paid(1);
    ASSERT_TRUE(attach(order, li_lei));
    run_to_end(contacts.put(buyer, li_lei, now));
    const auto before = trail().size();
    const EraseWish all{.buyer = buyer, .all = true, .limit = 9};
    EXPECT_EQ(erase(all, make_deed(9'001)).copies, 1u);
    EXPECT_EQ(contact_of(order), std::nullopt);
    EXPECT_EQ(erase(all, make_deed(9'002)).copies, 0u);
    const auto after = trail();
    ASSERT_EQ(after.size(), before + 1) << "nothing erased is no deed";
    EXPECT_EQ(after[0].deed.after, R"({"stored":true,"orders":1})");
    EXPECT_THAT(run_to_end(contacts.of_orders({order.id})), IsEmpty());
}

RUN_ON_EVERY_ADAPTER(ContactLedgerContract);

}  // namespace
}  // namespace sluice
