#include "app/accounts/send_phone_code.hpp"

#include <gtest/gtest.h>

#include "app/accounts/local_code_box.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_users.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

constexpr auto kPhone = "+8613712345678";

class SendPhoneCodeTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    testing_support::ScriptedUsers users;
    PhoneBook book{users, PhoneForm{}};
    LocalCodeBox box{clock};
    PhoneCodes codes{PhoneCodes::Key{1}, box, clock, random};
    MessageOutbox outbox;
    IdSource ids{1};
    SendPhoneCode sender{book, codes, outbox, clock, ids};

    static constexpr CodeBearer bearer{.name = 1};

    bool send(CodePurpose purpose, bool repeats = false) {
        SendPhoneCode::Word word = [](std::string_view code, int minutes) {
            return std::string(code) + " for " + std::to_string(minutes);
        };
        SendPhoneCode::Wish wish{purpose, kPhone, bearer, repeats};
        return run_to_end(sender.send(std::move(wish), std::move(word)));
    }
    std::optional<PhoneMessage> sent() {
        auto waiting = outbox.take(clock.now());
        if (!waiting) return std::nullopt;
        return std::move(waiting->message);
    }
    void add_account() {
        users.accounts[kPhone] = Account{.user = {.id = UserId{1},
                                                  .phone = kPhone,
                                                  .name = "Li",
                                                  .role = Role::buyer,
                                                  .created_at = clock.now()},
                                         .password_hash = "hash"};
    }
};

TEST_F(SendPhoneCodeTest, TheMessageHasACodeThatCounts) {
    send(CodePurpose::registration);
    const auto message = sent();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->phone, kPhone);
    EXPECT_EQ(message->text, message->code + " for 10");
    EXPECT_EQ(message->good_until, clock.now() + PhoneCodes::kLife);
    EXPECT_TRUE(run_to_end(codes.redeem(CodePurpose::registration, kPhone, bearer, message->code)));
}

TEST_F(SendPhoneCodeTest, AForgottenPasswordIsForThoseWhoHaveOne) {
    EXPECT_FALSE(send(CodePurpose::password));
    EXPECT_FALSE(sent()) << "and the asker hears the same";
    add_account();
    EXPECT_TRUE(send(CodePurpose::password));
    const auto message = sent();
    ASSERT_TRUE(message);
    EXPECT_TRUE(run_to_end(codes.redeem(CodePurpose::password, kPhone, bearer, message->code)));
}

TEST_F(SendPhoneCodeTest, APhoneThatIsTakenGetsACodeForRegistrationToo) {
    add_account();
    send(CodePurpose::registration);
    EXPECT_TRUE(sent());
}

TEST_F(SendPhoneCodeTest, SaysSoWhenTooManyMessagesWait) {
    for (std::size_t i = 0; i < MessageOutbox::kMost; ++i)
        outbox.put({.message = {}, .not_before = clock.now()});
    EXPECT_THROW(send(CodePurpose::registration), Overload);
    EXPECT_THROW(send(CodePurpose::password), Overload) << "whether the phone is known or not";
}

TEST_F(SendPhoneCodeTest, WhatHasJustBeenSentIsNotSentAgain) {
    EXPECT_TRUE(send(CodePurpose::registration));
    const auto message = sent();
    EXPECT_FALSE(send(CodePurpose::registration, true));
    EXPECT_FALSE(sent());
    EXPECT_TRUE(run_to_end(codes.redeem(CodePurpose::registration, kPhone, bearer, message->code)));
}

TEST_F(SendPhoneCodeTest, AnOutageSendsNothing) {
    users.is_down = true;
    EXPECT_THROW(send(CodePurpose::password), Outage);
    EXPECT_FALSE(sent());
}

}  // namespace
}  // namespace sluice
