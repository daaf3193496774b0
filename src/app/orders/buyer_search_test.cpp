#include "app/orders/buyer_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/run_to_end.hpp"
#include "support/scripted_users.hpp"

namespace sluice {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Wish = BuyerSearch::Wish;

class BuyerSearchTest : public testing::Test {
  protected:
    testing_support::ScriptedUsers users;
    BuyerSearch search{users, PhoneForm(find_country("CN"))};

    void add(std::int64_t id, const std::string& phone, const std::string& name) {
        const User user{
            .id = UserId{id}, .phone = phone, .name = name, .role = Role::buyer, .created_at = {}};
        users.accounts[phone] = {.user = user, .password_hash = {}};
    }
    std::vector<UserId> buyers(Wish wish) {
        const auto wanted = run_to_end(search.narrow({}, std::move(wish)));
        return wanted.value().buyers.value();
    }
};

TEST_F(BuyerSearchTest, WithoutAWishTheListStaysAsItIs) {
    const auto wanted =
        run_to_end(search.narrow({.sale = SaleId{7}, .buyer = UserId{8}, .limit = 9}, {}));
    ASSERT_TRUE(wanted);
    EXPECT_EQ(wanted->sale, SaleId{7});
    EXPECT_EQ(wanted->buyer, UserId{8});
    EXPECT_EQ(wanted->limit, 9u);
    EXPECT_FALSE(wanted->buyers);
}

TEST_F(BuyerSearchTest, APhoneIsFoundInEverySpelling) {
    add(1, "+8613800138000", "Li Na");
    add(2, "13800138000", "Li Na, earlier");
    add(3, "+8613800138001", "Wang");
    for (const auto* phone : {"+8613800138000", "13800138000", "008613800138000"})
        EXPECT_THAT(buyers({.phone = phone}), UnorderedElementsAre(UserId{1}, UserId{2})) << phone;
    EXPECT_THAT(buyers({.phone = "+8613800138009"}), IsEmpty());
}

TEST_F(BuyerSearchTest, ANameIsFoundByItsBeginning) {
    add(1, "+861", "Li Na");
    add(2, "+862", "Liang");
    add(3, "+863", "Wang Li");
    add(4, "+864", "李娜");
    EXPECT_THAT(buyers({.name = "Li"}), UnorderedElementsAre(UserId{1}, UserId{2}));
    EXPECT_THAT(buyers({.name = "Li "}), UnorderedElementsAre(UserId{1}));
    EXPECT_THAT(buyers({.name = "李"}), UnorderedElementsAre(UserId{4}));
    EXPECT_THAT(buyers({.name = "li"}), IsEmpty());
}

TEST_F(BuyerSearchTest, BothHaveToFit) {
    add(1, "+8613800138000", "Li Na");
    EXPECT_THAT(buyers({.phone = "13800138000", .name = "Li"}), UnorderedElementsAre(UserId{1}));
    EXPECT_THAT(buyers({.phone = "13800138000", .name = "Na"}), IsEmpty());
}

TEST_F(BuyerSearchTest, ANameThatFitsTooManyIsRefused) {
    for (std::size_t i = 0; i < OrderList::kMostBuyers; ++i)
        add(static_cast<std::int64_t>(i) + 1, std::to_string(10'000 + i), "Li");
    EXPECT_EQ(buyers({.name = "Li"}).size(), OrderList::kMostBuyers);
    add(999, "+8613800138000", "Li");
    const auto refused = run_to_end(search.narrow({}, {.name = "Li"}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reason, Reason::invalid);
    EXPECT_EQ(refused.error().errors.at(0).field, "buyer_name");
    EXPECT_THAT(buyers({.phone = "13800138000", .name = "Li"}), UnorderedElementsAre(UserId{999}))
        << "one phone is never too many";
}

TEST_F(BuyerSearchTest, WhatIsNoPhoneAndNoNameIsTold) {
    const auto fields = [](const Wish& wish) {
        std::vector<std::string> names;
        for (const auto& error : BuyerSearch::check(wish)) names.push_back(error.field);
        return names;
    };
    EXPECT_THAT(fields({}), IsEmpty());
    EXPECT_THAT(fields({.phone = "+8613800138000", .name = "Li Na 李娜"}), IsEmpty());
    EXPECT_THAT(fields({.phone = "1234"}), UnorderedElementsAre("phone"));
    EXPECT_THAT(fields({.phone = "call me"}), UnorderedElementsAre("phone"));
    EXPECT_THAT(fields({.name = std::string(64, 'x')}), IsEmpty());
    EXPECT_THAT(fields({.name = std::string(65, 'x')}), UnorderedElementsAre("buyer_name"));
    EXPECT_THAT(fields({.name = ""}), UnorderedElementsAre("buyer_name")) << "it fits everybody";
    EXPECT_THAT(fields({.name = "a\nb"}), UnorderedElementsAre("buyer_name"));
    EXPECT_THAT(fields({.name = "\xff"}), UnorderedElementsAre("buyer_name"));
    EXPECT_THAT(fields({.phone = "1", .name = "\xff"}),
                UnorderedElementsAre("phone", "buyer_name"));
}

}  // namespace
}  // namespace sluice
