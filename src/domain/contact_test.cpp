#include "domain/contact.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using enum Asking;

const AskedFields kAll{required, required, required, optional};

std::vector<std::string> wrong_fields(const Contact& contact, const AskedFields& asked = kAll,
                                      bool complete = true) {
    const auto checked = check_contact(contact, asked, complete);
    std::vector<std::string> fields;
    if (!checked)
        for (const auto& error : checked.error().errors) fields.push_back(error.field);
    return fields;
}

using Fields = std::vector<std::string>;

Contact good() {
    return {.name = "李雷 🎁",
            .phone = "+86 139-0000-0001",
            .address = "北京市\n1 Main St",
            .note = ""};
}

Contact with(std::string Contact::* field, std::string text) {
    auto contact = good();
    contact.*field = std::move(text);
    return contact;
}

TEST(Contact, AskingsAreReadAsTheyAreWritten) {
    for (const auto asking : {off, optional, required})
        EXPECT_EQ(parse_asking(to_string(asking)), asking);
    EXPECT_EQ(parse_asking("maybe"), std::nullopt);
}

TEST(Contact, IsTakenWithoutBlanksAround) {
    const auto checked = check_contact(with(&Contact::name, "　Li Lei "), kAll, true);
    ASSERT_TRUE(checked.has_value());
    EXPECT_EQ(checked->name, "Li Lei");
    EXPECT_EQ(*check_contact(good(), kAll, true), good());
}

TEST(Contact, WhatIsRequiredMayOnlyBeMissingWhereItIsNotComplete) {
    EXPECT_EQ(wrong_fields({}), (Fields{"name", "phone", "address"}));
    EXPECT_EQ(wrong_fields({}, kAll, false), Fields{});
    EXPECT_EQ(wrong_fields(with(&Contact::name, " \u3000")), Fields{"name"});
}

TEST(Contact, WhatIsNotAskedForIsRefused) {
    EXPECT_EQ(wrong_fields(good(), {required, off, required, off}), Fields{"phone"});
    EXPECT_EQ(wrong_fields({}, {off, off, off, off}), Fields{});
    EXPECT_FALSE(asks_for_anything({off, off, off, off}));
    EXPECT_TRUE(asks_for_anything({off, off, off, optional}));
}

TEST(Contact, EachFieldHasItsLengthInCharacters) {
    std::string sixty;
    for (int i = 0; i < 60; ++i) sixty += "🎁";
    EXPECT_EQ(wrong_fields(with(&Contact::name, sixty)), Fields{});
    EXPECT_EQ(wrong_fields(with(&Contact::name, sixty + "x")), Fields{"name"});
    EXPECT_EQ(wrong_fields(with(&Contact::address, std::string(300, 'a'))), Fields{});
    EXPECT_EQ(wrong_fields(with(&Contact::address, std::string(301, 'a'))), Fields{"address"});
    EXPECT_EQ(wrong_fields(with(&Contact::note, std::string(301, 'a'))), Fields{"note"});
    EXPECT_EQ(wrong_fields(with(&Contact::phone, "1234" + std::string(29, ' ') + "5")),
              Fields{"phone"});
}

TEST(Contact, ControlCharactersAreRefusedAndLinesOnlyWhereTheyFit) {
    EXPECT_EQ(wrong_fields(with(&Contact::name, "a\nb")), Fields{"name"});
    EXPECT_EQ(wrong_fields(with(&Contact::address, "a\nb")), Fields{});
    EXPECT_EQ(wrong_fields(with(&Contact::address, "a\x1b[31mb")), Fields{"address"});
    EXPECT_EQ(wrong_fields(with(&Contact::note, "a\x7f")), Fields{"note"});
}

TEST(Contact, APhoneIsDigitsAsPeopleWriteThem) {
    for (const auto* phone : {"12345", "010-6552 9988", "+1 (212) 555-0100", "13900000001"})
        EXPECT_EQ(wrong_fields(with(&Contact::phone, phone)), Fields{}) << phone;
    for (const auto* phone :
         {"1234", "call me", "123456789012345678901", "139+0000", "１３９００００"})
        EXPECT_EQ(wrong_fields(with(&Contact::phone, phone)), Fields{"phone"}) << phone;
}

TEST(Contact, ChangesWhileTheOrderWaitsAtTheShop) {
    using Delivery = OrderDeliveryState;
    struct Case {
        OrderState order;
        Delivery delivery;
        bool changes, done;
    };
    for (const auto& [order, delivery, changes, done] :
         {Case{OrderState::pending, Delivery::none, false, false},
          {OrderState::paid, Delivery::none, true, false},
          {OrderState::paid, Delivery::preparing, true, false},
          {OrderState::paid, Delivery::shipped, false, false},
          {OrderState::paid, Delivery::delivered, false, true},
          {OrderState::refunded, Delivery::none, false, true},
          {OrderState::refunded, Delivery::shipped, false, true},
          {OrderState::expired, Delivery::none, false, true},
          {OrderState::cancelled, Delivery::none, false, true}}) {
        EXPECT_EQ(!why_contact_fixed(order, delivery), changes)
            << to_string(order) << " " << to_string(delivery);
        EXPECT_EQ(is_done_with_contact(order, delivery), done)
            << to_string(order) << " " << to_string(delivery);
    }
}

}  // namespace
}  // namespace sluice
