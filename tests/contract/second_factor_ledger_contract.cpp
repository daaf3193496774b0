#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using contract::kFar;
using contract::make_key;

class SecondFactorLedgerContract : public contract::LedgerContract {
  protected:
    SecondFactorLedger& factors = ledgers->all().second_factors();
    SessionLedger& sessions = ledgers->all().sessions();
    const UserId user{1};

    void SetUp() override {
        add_user(1);
        add_user(2);
        const auto later = now + std::chrono::hours{1};
        run_to_end(sessions.add({make_key(1), user, "hash", later, now + kFar}));
        run_to_end(sessions.add({make_key(2), user, "hash", later, now + kFar}));
    }
    static SealedSecret secret(unsigned char first) { return {first, 2, 3}; }
    static RecoveryDigest digest(unsigned char first) { return {first}; }
    bool begin(unsigned char first = 1) { return run_to_end(factors.begin(user, secret(first))); }
    std::optional<std::vector<SessionKey>> confirm_and_end(unsigned char first = 1) {
        return run_to_end(factors.confirm({.user = user,
                                           .secret = secret(first),
                                           .step = 100,
                                           .recovery_codes = {digest(1), digest(2)},
                                           .session = make_key(1),
                                           .deed = make_deed(next_deed_++)}));
    }
    bool confirm(unsigned char first = 1) { return confirm_and_end(first).has_value(); }
    bool is_strong(unsigned char key) {
        return run_to_end(sessions.find(make_key(key), now))->strong;
    }
    std::size_t deeds() { return run_to_end(ledgers->all().trail().list({}, 9)).size(); }

    std::int64_t next_deed_ = 1;
};

TEST_P(SecondFactorLedgerContract, CountsForNothingUntilItIsConfirmed) {
    EXPECT_FALSE(run_to_end(factors.find(user)));
    EXPECT_TRUE(begin());
    const auto found = run_to_end(factors.find(user));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->secret, secret(1));
    EXPECT_FALSE(found->confirmed);
    EXPECT_EQ(found->recovery_codes, 0);
    EXPECT_FALSE(run_to_end(factors.use_step(user, 100)));
    EXPECT_FALSE(run_to_end(factors.find(UserId{2})));
}

TEST_P(SecondFactorLedgerContract, ANewBeginningReplacesOneThatWasNotConfirmed) {
    EXPECT_TRUE(begin(1));
    EXPECT_TRUE(begin(2));
    EXPECT_FALSE(confirm(1)) << "the secret that was shown is not there any more";
    EXPECT_EQ(deeds(), 0u);
    EXPECT_TRUE(confirm(2));
    EXPECT_FALSE(confirm(2));
    EXPECT_FALSE(begin(3)) << "one counts";
    EXPECT_EQ(run_to_end(factors.find(user))->secret, secret(2));
}

TEST_P(SecondFactorLedgerContract, TheSessionThatConfirmsItIsStrong) {
    begin();
    EXPECT_TRUE(confirm());
    EXPECT_TRUE(is_strong(1));
    EXPECT_EQ(deeds(), 1u);
    EXPECT_EQ(run_to_end(factors.find(user))->recovery_codes, 2);
    EXPECT_EQ(run_to_end(factors.find(user))->last_step, 100);
}

TEST_P(SecondFactorLedgerContract, ConfirmingEndsTheUsersOtherSessions) {
    const auto later = now + std::chrono::hours{1};
    run_to_end(sessions.add({make_key(3), UserId{2}, "hash", later, now + kFar}));
    begin(1);
    EXPECT_FALSE(confirm_and_end(2)) << "another secret";
    EXPECT_TRUE(run_to_end(sessions.find(make_key(2), now)));
    const auto ended = confirm_and_end(1);
    ASSERT_TRUE(ended);
    EXPECT_EQ(*ended, std::vector{make_key(2)});
    EXPECT_TRUE(run_to_end(sessions.find(make_key(1), now)));
    EXPECT_FALSE(run_to_end(sessions.find(make_key(2), now)));
    EXPECT_TRUE(run_to_end(sessions.find(make_key(3), now))) << "somebody else's";
}

TEST_P(SecondFactorLedgerContract, AStepIsUsedOnceAndOnlyForward) {
    begin();
    confirm();
    EXPECT_FALSE(run_to_end(factors.use_step(user, 100)));
    EXPECT_FALSE(run_to_end(factors.use_step(user, 99)));
    EXPECT_TRUE(run_to_end(factors.use_step(user, 102)));
    EXPECT_FALSE(run_to_end(factors.use_step(user, 102)));
    EXPECT_FALSE(run_to_end(factors.use_step(user, 101)));
    EXPECT_FALSE(run_to_end(factors.use_step(UserId{2}, 200)));
}

TEST_P(SecondFactorLedgerContract, ARecoveryCodeIsUsedOnce) {
    begin();
    confirm();
    EXPECT_FALSE(run_to_end(factors.use_recovery_code(user, digest(9))));
    EXPECT_FALSE(run_to_end(factors.use_recovery_code(UserId{2}, digest(1))));
    EXPECT_TRUE(run_to_end(factors.use_recovery_code(user, digest(1))));
    EXPECT_FALSE(run_to_end(factors.use_recovery_code(user, digest(1))));
    EXPECT_EQ(run_to_end(factors.find(user))->recovery_codes, 1);
}

TEST_P(SecondFactorLedgerContract, RemovingItWeakensSessions) {
    begin();
    confirm();
    EXPECT_TRUE(run_to_end(factors.remove(user, make_deed(50))));
    EXPECT_FALSE(run_to_end(factors.find(user)));
    EXPECT_FALSE(is_strong(1));
    EXPECT_EQ(deeds(), 2u);
    EXPECT_FALSE(run_to_end(factors.remove(user, make_deed(51))));
    EXPECT_EQ(deeds(), 2u);
    EXPECT_TRUE(begin()) << "and it can be set up again, without the old recovery codes";
    confirm();
    EXPECT_EQ(run_to_end(factors.find(user))->recovery_codes, 2);
}

RUN_ON_EVERY_ADAPTER(SecondFactorLedgerContract);

}  // namespace
}  // namespace sluice
