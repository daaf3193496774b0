#include "app/accounts/sign_up.hpp"

#include <gtest/gtest.h>

#include "app/accounts/local_code_box.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"
#include "support/scripted_users.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

constexpr auto kPhone = "+8613712345678";

class Allowance final : public SignUpLimits {
  public:
    int left = 1;
    int left_at_last = 1;  // called when it is about to be made

    void allow_one() { left = left_at_last = 1; }
    bool may_sign_up() override { return left > 0; }
    bool count_sign_up() override {
        if (left_at_last == 0) return false;
        --left;
        --left_at_last;
        return true;
    }
};

class SignUpTest : public testing::Test {
  protected:
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    testing_support::ScriptedUsers users;
    PasswordHasher hasher{1, 4, {.passes = 1, .memory_bytes = 8192}};
    IdSource ids{1};
    LocalCodeBox box{clock};
    PhoneCodes codes{PhoneCodes::Key{1}, box, clock, random};
    RegisterUser registration{users, PhoneForm{}, hasher, clock, ids};
    SignUp sign_up{registration, &codes};
    Allowance limits;

    std::optional<Outcome<Created>> ask(const std::string& code) { return ask(sign_up, code); }
    std::optional<Outcome<Created>> ask(SignUp& how, const std::string& code) {
        RegisterUser::Registration wish{.user = {.id = UserId{1},
                                                 .phone = kPhone,
                                                 .name = "Li",
                                                 .role = Role::buyer,
                                                 .created_at = clock.now()},
                                        .password = "correct horse",
                                        .receipt = std::nullopt};
        return run_to_end(how.sign_up(std::move(wish), SignUp::Proof{code, {}}, limits));
    }
    std::string code() { return run_to_end(codes.issue(CodePurpose::registration, kPhone, {})); }
};

TEST_F(SignUpTest, ACodeMakesOneAccount) {
    const auto sent = code();
    ASSERT_TRUE(ask(sent).value().has_value());
    EXPECT_TRUE(users.accounts.contains(kPhone));
    limits.allow_one();
    EXPECT_EQ(ask(sent).value().error().reason, Reason::invalid) << "the code is spent";
}

TEST_F(SignUpTest, AWrongCodeChangesNothing) {
    const auto sent = code();
    const auto wrong = sent == "000000" ? "111111" : "000000";
    EXPECT_EQ(ask(wrong).value().error().reason, Reason::invalid);
    EXPECT_EQ(limits.left, 1);
    EXPECT_TRUE(users.accounts.empty());
    EXPECT_TRUE(ask(sent).value().has_value());
}

TEST_F(SignUpTest, WhoeverTheLimitsRefuseKeepsTheCode) {
    const auto sent = code();
    limits.left = 0;
    EXPECT_FALSE(ask(sent)) << "before the password is hashed";
    limits.left = 1;
    limits.left_at_last = 0;
    EXPECT_FALSE(ask(sent)) << "somebody else was quicker";
    EXPECT_TRUE(users.accounts.empty());
    limits.allow_one();
    EXPECT_TRUE(ask(sent).value().has_value());
}

TEST_F(SignUpTest, AnOutageLeavesTheCodeGood) {
    const auto sent = code();
    users.is_down = true;
    EXPECT_THROW(ask(sent), Outage);
    users.is_down = false;
    EXPECT_TRUE(ask(sent).value().has_value());
}

TEST_F(SignUpTest, APhoneThatIsTakenIsToldToWhoeverHoldsIt) {
    ASSERT_TRUE(ask(code()).value().has_value());
    limits.allow_one();
    EXPECT_EQ(ask("000000").value().error().reason, Reason::invalid) << "not told without a code";
    EXPECT_EQ(ask(code()).value().error().reason, Reason::conflict);
    EXPECT_EQ(limits.left, 1) << "nothing was made";
}

TEST_F(SignUpTest, WithoutCodesNoneIsAskedFor) {
    SignUp open(registration, nullptr);
    EXPECT_FALSE(open.needs_code());
    EXPECT_TRUE(ask(open, "").value().has_value());
}

}  // namespace
}  // namespace sluice
