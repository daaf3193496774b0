#include <set>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using contract::kFar;
using contract::make_key;
using std::chrono::milliseconds;

class SessionLedgerContract : public contract::LedgerContract {
  protected:
    SessionLedger& sessions = ledgers->all().sessions();
    Timestamp expiry = now + std::chrono::minutes{30};

    void SetUp() override {
        add_user(1);
        run_to_end(sessions.add({make_key(1), UserId{1}, "hash", expiry, now + kFar}));
    }
    std::optional<Timestamp> find_expiry(unsigned char key) {
        const auto found = run_to_end(sessions.find(make_key(key), now));
        return found ? std::optional(found->expires_at) : std::nullopt;
    }
};

TEST_P(SessionLedgerContract, FindsASessionUntilTheInstantItExpires) {
    const auto found = run_to_end(sessions.find(make_key(1), expiry - milliseconds{1}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->user_id, UserId{1});
    EXPECT_EQ(found->name, "user 1");
    EXPECT_EQ(found->role, Role::buyer);
    EXPECT_EQ(found->expires_at, expiry);
    EXPECT_FALSE(run_to_end(sessions.find(make_key(1), expiry)));
    EXPECT_FALSE(run_to_end(sessions.find(make_key(2), now)));
}

TEST_P(SessionLedgerContract, AddsOnlyForThePasswordThatWasChecked) {
    EXPECT_FALSE(
        run_to_end(sessions.add({make_key(2), UserId{1}, "an older hash", expiry, now + kFar})));
    EXPECT_FALSE(find_expiry(2));
    EXPECT_FALSE(run_to_end(sessions.add({make_key(2), UserId{9}, "hash", expiry, now + kFar})));
    ASSERT_TRUE(run_to_end(ledgers->all().users().set_role(UserId{1}, Role::admin, make_deed(1))));
    const auto added =
        run_to_end(sessions.add({make_key(2), UserId{1}, "hash", expiry, now + kFar}));
    ASSERT_TRUE(added);
    EXPECT_EQ(added->role, Role::admin);
    EXPECT_EQ(added->name, "user 1");
}

TEST_P(SessionLedgerContract, ExtendsButNeverShortens) {
    run_to_end(sessions.extend({{make_key(1), expiry + milliseconds{1}}}));
    EXPECT_EQ(find_expiry(1), expiry + milliseconds{1});
    run_to_end(sessions.extend({{make_key(1), expiry}}));
    EXPECT_EQ(find_expiry(1), expiry + milliseconds{1});
}

TEST_P(SessionLedgerContract, NothingIsExtendedBeyondItsEnd) {
    const auto end = expiry + milliseconds{3};
    run_to_end(sessions.add({make_key(2), UserId{1}, "hash", expiry, end, true}));
    run_to_end(sessions.extend({{make_key(2), end + milliseconds{1}}}));
    EXPECT_EQ(find_expiry(2), end);
    const auto found = run_to_end(sessions.find(make_key(2), now));
    EXPECT_EQ(found->ends_at, end);
    EXPECT_TRUE(found->strong);
}

TEST_P(SessionLedgerContract, NamesUnknownKeysWhenExtending) {
    const auto later = expiry + milliseconds{5};
    const auto gone = run_to_end(sessions.extend({{make_key(7), later}, {make_key(1), later}}));
    EXPECT_EQ(gone, std::vector{make_key(7)});
    EXPECT_EQ(find_expiry(1), later);
    EXPECT_FALSE(find_expiry(7));
}

TEST_P(SessionLedgerContract, RemovesOneSession) {
    run_to_end(sessions.add({make_key(2), UserId{1}, "hash", expiry, now + kFar}));
    run_to_end(sessions.remove(make_key(1)));
    run_to_end(sessions.remove(make_key(9)));
    EXPECT_FALSE(find_expiry(1));
    EXPECT_TRUE(find_expiry(2));
}

TEST_P(SessionLedgerContract, RemovesAllSessionsOfOneUser) {
    add_user(2);
    run_to_end(sessions.add({make_key(2), UserId{1}, "hash", expiry, now + kFar}));
    run_to_end(sessions.add({make_key(3), UserId{2}, "hash", expiry, now + kFar}));
    const std::set<SessionKey> both{make_key(1), make_key(2)};
    const auto keys = run_to_end(sessions.keys_of(UserId{1}));
    EXPECT_EQ(std::set(keys.begin(), keys.end()), both);
    const auto removed = run_to_end(sessions.remove_all(UserId{1}, std::nullopt));
    EXPECT_EQ(std::set(removed.begin(), removed.end()), both);
    EXPECT_FALSE(find_expiry(1));
    EXPECT_FALSE(find_expiry(2));
    EXPECT_TRUE(find_expiry(3));
    EXPECT_TRUE(run_to_end(sessions.remove_all(UserId{1}, make_deed(1))).empty());
    EXPECT_EQ(run_to_end(ledgers->all().trail().list({}, 9)).size(), 1u);
    EXPECT_TRUE(run_to_end(sessions.keys_of(UserId{9})).empty());
}

TEST_P(SessionLedgerContract, PrunesInBitesWhatHasExpired) {
    for (unsigned char key = 2; key <= 5; ++key)
        run_to_end(sessions.add({make_key(key), UserId{1}, "hash", expiry, now + kFar}));
    run_to_end(
        sessions.add({make_key(6), UserId{1}, "hash", expiry + milliseconds{1}, now + kFar}));

    EXPECT_EQ(run_to_end(sessions.prune(expiry - milliseconds{1}, 10)), 0U);
    EXPECT_EQ(run_to_end(sessions.prune(expiry, 3)), 3U);
    EXPECT_EQ(run_to_end(sessions.prune(expiry, 3)), 2U);
    EXPECT_TRUE(find_expiry(6));
}

RUN_ON_EVERY_ADAPTER(SessionLedgerContract);

}  // namespace
}  // namespace sluice
