// Second factors, for two clients at once: what is good for one log-in is good for one.

#include "base/run_to_end.hpp"
#include "contract/two_clients.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using contract::make_key;

/// User 1 has a confirmed second factor with recovery codes 1 to 8, and two sessions.
class TwoClientsSecondFactorContract : public contract::TwoClientsContract {
  protected:
    SecondFactorLedger& factors = ledgers->all().second_factors();
    SecondFactorLedger& others = other.ledgers.second_factors();
    SessionLedger& sessions = ledgers->all().sessions();
    const UserId user{1};
    static constexpr std::int64_t kStep = 100;
    static constexpr unsigned char kCodes = 8;

    void SetUp() override {
        TwoClientsContract::SetUp();
        for (const unsigned char key : {1, 2})
            ASSERT_TRUE(run_to_end(
                sessions.add({make_key(key), user, "hash", now + 1h, now + contract::kFar})));
        ASSERT_TRUE(run_to_end(factors.begin(user, secret(1))));
    }
    static SealedSecret secret(unsigned char first) { return {first, 2, 3}; }
    static RecoveryDigest digest(unsigned char first) { return {first}; }

    SecondFactorLedger::Confirmation confirmation(unsigned char of, unsigned char session) const {
        SecondFactorLedger::Confirmation made{.user = user,
                                              .secret = secret(of),
                                              .step = kStep,
                                              .recovery_codes = {},
                                              .session = make_key(session),
                                              .deed = make_deed(7'000 + session)};
        for (unsigned char code = 1; code <= kCodes; ++code)
            made.recovery_codes.push_back(digest(code));
        return made;
    }
    void confirm() { ASSERT_TRUE(run_to_end(factors.confirm(confirmation(1, 1)))); }
    SecondFactor stored() { return run_to_end(factors.find(user)).value(); }
};

TEST_P(TwoClientsSecondFactorContract, AStepIsUsedOnce) {
    confirm();
    for (auto step = kStep + 1; step <= kStep + 8; ++step) {
        const auto [one, two] = at_once(factors.use_step(user, step), others.use_step(user, step));
        EXPECT_NE(one, two) << step;
        EXPECT_EQ(stored().last_step, step);
    }
}

TEST_P(TwoClientsSecondFactorContract, NoStepIsUsedAfterALaterOne) {
    confirm();
    for (auto step = kStep + 1; step <= kStep + 16; step += 2) {
        const auto later = at_once(factors.use_step(user, step), others.use_step(user, step + 1));
        EXPECT_TRUE(later.second) << step;
        EXPECT_EQ(stored().last_step, step + 1) << "whichever came first";
    }
}

TEST_P(TwoClientsSecondFactorContract, ARecoveryCodeIsUsedOnce) {
    confirm();
    for (unsigned char code = 1; code <= kCodes; ++code) {
        const auto [one, two] = at_once(factors.use_recovery_code(user, digest(code)),
                                        others.use_recovery_code(user, digest(code)));
        EXPECT_NE(one, two) << int{code};
        EXPECT_EQ(stored().recovery_codes, kCodes - code);
    }
}

TEST_P(TwoClientsSecondFactorContract, TwoCodesDoNotStandInEachOthersWay) {
    confirm();
    for (unsigned char code = 1; code <= kCodes; code += 2) {
        const auto [one, two] = at_once(factors.use_recovery_code(user, digest(code)),
                                        others.use_recovery_code(user, digest(code + 1)));
        EXPECT_TRUE(one && two) << int{code};
        EXPECT_EQ(stored().recovery_codes, kCodes - code - 1);
    }
    const auto [step, none] =
        at_once(factors.use_step(user, kStep + 1), others.use_recovery_code(user, digest(kCodes)));
    EXPECT_TRUE(step);
    EXPECT_FALSE(none) << "it was used";
}

TEST_P(TwoClientsSecondFactorContract, ItIsConfirmedOnceAndInOneSession) {
    const auto deeds = deeds_written();
    const auto [one, two] =
        at_once(factors.confirm(confirmation(1, 1)), others.confirm(confirmation(1, 2)));
    ASSERT_NE(one.has_value(), two.has_value());
    const unsigned char winner = one ? 1 : 2, loser = one ? 2 : 1;
    EXPECT_EQ(one ? *one : *two, std::vector{make_key(loser)});
    EXPECT_TRUE(run_to_end(sessions.find(make_key(winner), now))->strong);
    EXPECT_FALSE(run_to_end(sessions.find(make_key(loser), now)));
    EXPECT_EQ(deeds_written(), deeds + 1);
    EXPECT_EQ(stored().recovery_codes, kCodes) << "not those of both";
}

TEST_P(TwoClientsSecondFactorContract, WhatCountsIsTheSecretThatWasShown) {
    const auto [confirmed, begun] =
        at_once(factors.confirm(confirmation(1, 1)), others.begin(user, secret(2)));
    ASSERT_NE(confirmed.has_value(), begun) << "replaced before it was confirmed, or confirmed";
    EXPECT_EQ(stored().confirmed, confirmed.has_value());
    EXPECT_EQ(stored().secret, secret(begun ? 2 : 1));
}

TEST_P(TwoClientsSecondFactorContract, ItIsRemovedOnce) {
    confirm();
    const auto deeds = deeds_written();
    const auto [one, two] =
        at_once(factors.remove(user, make_deed(7'101)), others.remove(user, make_deed(7'102)));
    EXPECT_NE(one, two);
    EXPECT_FALSE(run_to_end(factors.find(user)));
    EXPECT_EQ(deeds_written(), deeds + 1);
}

TEST_P(TwoClientsSecondFactorContract, NoRecoveryCodeSurvivesItsRemoval) {
    confirm();
    at_once(factors.remove(user, make_deed(7'101)), others.use_recovery_code(user, digest(1)));
    EXPECT_FALSE(run_to_end(others.find(user)));
    for (unsigned char code = 1; code <= kCodes; ++code)
        EXPECT_FALSE(run_to_end(factors.use_recovery_code(user, digest(code)))) << int{code};
}

RUN_ON_EVERY_ADAPTER(TwoClientsSecondFactorContract);

}  // namespace
}  // namespace sluice
