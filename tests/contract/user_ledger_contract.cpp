#include <algorithm>

#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using contract::kFar;
using contract::make_key;

class UserLedgerContract : public contract::LedgerContract {
  protected:
    UserLedger& users = ledgers->all().users();
    SessionLedger& sessions = ledgers->all().sessions();

    MintedBuyer make_minted(std::int64_t id) const {
        return {make_user(id), make_key(static_cast<unsigned char>(id)),
                now + std::chrono::hours{1}};
    }
    std::size_t deeds() { return run_to_end(ledgers->all().trail().list({}, 9)).size(); }
};

TEST_P(UserLedgerContract, FindsWhatWasAdded) {
    auto account = make_account(1);
    account.user.name = "";
    account.user.role = Role::operator_;
    ASSERT_TRUE(run_to_end(users.add(account, std::nullopt)));

    const auto found = run_to_end(users.find_by_phone(account.user.phone));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->user.id, account.user.id);
    EXPECT_EQ(found->user.phone, account.user.phone);
    EXPECT_EQ(found->user.name, "");
    EXPECT_EQ(found->user.role, Role::operator_);
    EXPECT_EQ(found->user.created_at, now);
    EXPECT_EQ(found->password_hash, "hash");
    EXPECT_FALSE(run_to_end(users.find_by_phone("99999")));
}

TEST_P(UserLedgerContract, RefusesAPhoneThatIsTaken) {
    add_user(1);
    auto second = make_account(2);
    second.user.phone = make_user(1).phone;
    const auto outcome = run_to_end(users.add(second, std::nullopt));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason::conflict);
    EXPECT_EQ(run_to_end(users.find_by_phone(second.user.phone))->user.id, UserId{1});
}

TEST_P(UserLedgerContract, AnswersARepeatedRequestWithTheFirstAnswer) {
    const auto first = run_to_end(users.add(make_account(1), make_receipt("k", 1, "one")));
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->first_answer);

    // The phone is taken by now, but the receipt is checked first.
    auto again = make_account(2);
    again.user.phone = make_user(1).phone;
    const auto second = run_to_end(users.add(again, make_receipt("k", 1, "two")));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->first_answer, "one");
    EXPECT_EQ(run_to_end(users.find_by_phone(again.user.phone))->user.id, UserId{1});
}

TEST_P(UserLedgerContract, RefusesAKeyThatWasUsedForAnotherBody) {
    ASSERT_TRUE(run_to_end(users.add(make_account(1), make_receipt("k", 1, "one"))));
    const auto outcome = run_to_end(users.add(make_account(2), make_receipt("k", 2, "two")));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason::idempotency_mismatch);
    EXPECT_FALSE(run_to_end(users.find_by_phone(make_user(2).phone)));
}

TEST_P(UserLedgerContract, RemembersNoRefusal) {
    add_user(1);
    auto taken = make_account(2);
    taken.user.phone = make_user(1).phone;
    ASSERT_FALSE(run_to_end(users.add(taken, make_receipt("k", 1, "one"))));
    const auto outcome = run_to_end(users.add(make_account(3), make_receipt("k", 2, "two")));
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->first_answer);
}

TEST_P(UserLedgerContract, ForgetsAReceiptExactlyAfterItsLife) {
    ASSERT_TRUE(run_to_end(users.add(make_account(1), make_receipt("k", 1, "one"))));

    auto late = make_receipt("k", 1, "two");
    late.at = now + kReceiptLife - std::chrono::milliseconds{1};
    EXPECT_EQ(run_to_end(users.add(make_account(2), late))->first_answer, "one");
    late.at = now + kReceiptLife;
    EXPECT_FALSE(run_to_end(users.add(make_account(2), late))->first_answer);
    EXPECT_EQ(run_to_end(users.add(make_account(3), late))->first_answer, "two");
}

TEST_P(UserLedgerContract, CreatesOnceHoweverManyAreInFlight) {
    int created = 0;
    int replayed = 0;
    for (int i = 0; i < 50; ++i) {
        auto tell = [&](std::exception_ptr error, Outcome<Created> outcome) {
            ASSERT_FALSE(error);
            ASSERT_TRUE(outcome);
            (outcome->first_answer ? replayed : created) += 1;
            if (outcome->first_answer) {
                EXPECT_EQ(outcome->first_answer, "the answer");
            }
        };
        loop.spawn(users.add(make_account(1 + i), make_receipt("k", 1, "the answer")), tell);
    }
    loop.run();
    EXPECT_EQ(created, 1);
    EXPECT_EQ(replayed, 49);
    int there = 0;
    for (int i = 0; i < 50; ++i)
        if (run_to_end(users.find_by_phone(make_user(1 + i).phone))) ++there;
    EXPECT_EQ(there, 1);
}

TEST_P(UserLedgerContract, ANewPasswordEndsTheUsersSessionsOnly) {
    add_user(1);
    add_user(2);
    const auto later = now + std::chrono::hours{1};
    run_to_end(sessions.add({make_key(1), UserId{1}, "hash", later, now + kFar}));
    run_to_end(sessions.add({make_key(2), UserId{1}, "hash", later, now + kFar}));
    run_to_end(sessions.add({make_key(3), UserId{2}, "hash", later, now + kFar}));

    EXPECT_TRUE(run_to_end(users.set_password_hash(UserId{1}, "new", make_deed(1))));
    EXPECT_EQ(run_to_end(users.find_by_phone(make_user(1).phone))->password_hash, "new");
    EXPECT_FALSE(run_to_end(sessions.find(make_key(1), now)));
    EXPECT_FALSE(run_to_end(sessions.find(make_key(2), now)));
    EXPECT_TRUE(run_to_end(sessions.find(make_key(3), now)));
    EXPECT_EQ(deeds(), 1u);
    EXPECT_FALSE(run_to_end(users.set_password_hash(UserId{9}, "new", make_deed(2))));
    EXPECT_EQ(deeds(), 1u);
}

TEST_P(UserLedgerContract, ChangingOnesOwnPasswordKeepsOneSession) {
    add_user(1);
    add_user(2);
    const auto later = now + std::chrono::hours{1};
    for (const unsigned char key : {1, 2, 3})
        run_to_end(sessions.add({make_key(key), UserId{1}, "hash", later, now + kFar}));
    run_to_end(sessions.add({make_key(4), UserId{2}, "hash", later, now + kFar}));

    const auto stale = run_to_end(
        users.change_password({UserId{1}, "an older hash", "new", make_key(1), make_deed(1)}));
    EXPECT_FALSE(stale);
    EXPECT_TRUE(run_to_end(sessions.find(make_key(2), now)));
    EXPECT_EQ(deeds(), 0u);

    auto ended =
        run_to_end(users.change_password({UserId{1}, "hash", "new", make_key(1), make_deed(1)}));
    ASSERT_TRUE(ended);
    std::ranges::sort(*ended);
    EXPECT_EQ(*ended, (std::vector{make_key(2), make_key(3)}));
    EXPECT_TRUE(run_to_end(sessions.find(make_key(1), now)));
    EXPECT_FALSE(run_to_end(sessions.find(make_key(2), now)));
    EXPECT_TRUE(run_to_end(sessions.find(make_key(4), now)));
    EXPECT_EQ(run_to_end(users.find_by_phone(make_user(1).phone))->password_hash, "new");
    EXPECT_EQ(deeds(), 1u);

    const auto rest =
        run_to_end(users.change_password({UserId{1}, "new", "newer", std::nullopt, std::nullopt}));
    EXPECT_EQ(rest, std::vector{make_key(1)});
    EXPECT_EQ(deeds(), 1u);
}

TEST_P(UserLedgerContract, ANewRoleShowsInSessionsThatExist) {
    add_user(1);
    run_to_end(
        sessions.add({make_key(1), UserId{1}, "hash", now + std::chrono::hours{1}, now + kFar}));
    EXPECT_TRUE(run_to_end(users.set_role(UserId{1}, Role::admin, make_deed(1))));
    EXPECT_EQ(run_to_end(sessions.find(make_key(1), now))->role, Role::admin);
    EXPECT_FALSE(run_to_end(users.set_role(UserId{9}, Role::admin, make_deed(2))));
    EXPECT_EQ(deeds(), 1u);
}

TEST_P(UserLedgerContract, TheSamePasswordInAnotherFormEndsNoSession) {
    add_user(1);
    run_to_end(
        sessions.add({make_key(1), UserId{1}, "hash", now + std::chrono::hours{1}, now + kFar}));
    EXPECT_FALSE(run_to_end(users.replace_password_hash(UserId{1}, "older", "new")));
    EXPECT_TRUE(run_to_end(users.replace_password_hash(UserId{1}, "hash", "new")));
    EXPECT_EQ(run_to_end(users.find_by_phone(make_user(1).phone))->password_hash, "new");
    EXPECT_TRUE(run_to_end(sessions.find(make_key(1), now)));
    EXPECT_FALSE(run_to_end(users.replace_password_hash(UserId{9}, "hash", "new")));
}

TEST_P(UserLedgerContract, APhoneIsSpeltAnewUnlessSomebodyHasIt) {
    add_user(1);
    add_user(2);
    const auto before = make_user(1).phone;
    EXPECT_FALSE(run_to_end(users.set_phone(UserId{1}, "99999", "+86555")));
    EXPECT_FALSE(run_to_end(users.set_phone(UserId{1}, before, make_user(2).phone)));
    EXPECT_EQ(run_to_end(users.find_by_phone(before))->user.id, UserId{1});
    EXPECT_TRUE(run_to_end(users.set_phone(UserId{1}, before, "+86555")));
    EXPECT_FALSE(run_to_end(users.find_by_phone(before)));
    EXPECT_EQ(run_to_end(users.find_by_phone("+86555"))->user.id, UserId{1});
}

TEST_P(UserLedgerContract, ListsTheNewestFirstByPhoneAndRole) {
    for (int id = 1; id <= 5; ++id) add_user(id);
    run_to_end(users.set_role(UserId{2}, Role::operator_, make_deed(2)));
    run_to_end(users.set_role(UserId{4}, Role::operator_, make_deed(4)));
    using Ids = std::vector<std::int64_t>;
    const auto list = [&](std::optional<std::string> phone, std::optional<Role> role,
                          std::optional<UserId> before, std::size_t limit) {
        Ids ids;
        UserLedger::Wanted wanted{std::move(phone), role, before, limit};
        for (const auto& user : run_to_end(users.list(std::move(wanted))))
            ids.push_back(user.id.value);
        return ids;
    };
    EXPECT_EQ(list({}, {}, {}, 3), (Ids{5, 4, 3}));
    EXPECT_EQ(list({}, {}, UserId{3}, 3), (Ids{2, 1}));
    EXPECT_EQ(list({}, Role::operator_, {}, 9), (Ids{4, 2}));
    EXPECT_EQ(list({}, Role::operator_, UserId{4}, 9), (Ids{2}));
    EXPECT_EQ(list({}, Role::admin, {}, 9), Ids{});
    EXPECT_EQ(list(make_user(2).phone, {}, {}, 9), (Ids{2}));
    EXPECT_EQ(list(make_user(2).phone, Role::buyer, {}, 9), Ids{});
    EXPECT_EQ(list(make_user(2).phone, {}, UserId{2}, 9), Ids{});
    EXPECT_EQ(list("99999", {}, {}, 9), Ids{});
    EXPECT_EQ(run_to_end(users.find(UserId{4}))->role, Role::operator_);
    EXPECT_FALSE(run_to_end(users.find(UserId{9})));
}

TEST_P(UserLedgerContract, SupportIsARoleLikeTheOthers) {
    add_user(1);
    EXPECT_TRUE(run_to_end(users.set_role(UserId{1}, Role::support, make_deed(1))));
    EXPECT_EQ(run_to_end(users.find(UserId{1}))->role, Role::support);
    UserLedger::Wanted wanted{.phone = {}, .role = Role::support, .before = {}, .limit = 9};
    EXPECT_EQ(run_to_end(users.list(wanted)).size(), 1u);
}

TEST_P(UserLedgerContract, FindsUsersByTheBeginningOfTheirName) {
    const auto add_named = [&](std::int64_t id, std::string name) {
        auto account = make_account(id);
        account.user.name = std::move(name);
        ASSERT_TRUE(run_to_end(users.add(std::move(account), std::nullopt)));
    };
    const std::string longest(64, 'x');
    add_named(1, "Li");
    add_named(2, "Li Na");
    add_named(3, "li na");
    add_named(4, "李娜");
    add_named(5, "李");
    add_named(6, longest.substr(1) + "y");
    add_named(7, longest);
    add_named(8, "100% Li_");
    const auto found = [&](std::string beginning, std::size_t limit = 9) {
        std::vector<std::int64_t> ids;
        for (const auto id : run_to_end(users.find_named(std::move(beginning), limit)))
            ids.push_back(id.value);
        std::ranges::sort(ids);
        return ids;
    };
    using Ids = std::vector<std::int64_t>;
    EXPECT_EQ(found("Li"), (Ids{1, 2}));
    EXPECT_EQ(found("Li "), (Ids{2}));
    EXPECT_EQ(found("l"), (Ids{3})) << "letter by letter";
    EXPECT_EQ(found("李"), (Ids{4, 5}));
    EXPECT_EQ(found("李娜"), (Ids{4}));
    EXPECT_EQ(found(longest), (Ids{7}));
    EXPECT_EQ(found("100%"), (Ids{8}));
    EXPECT_EQ(found("%"), Ids{}) << "nothing stands for anything else";
    EXPECT_EQ(found("_"), Ids{});
    EXPECT_EQ(found("Lin"), Ids{});
    EXPECT_EQ(found("x", 1).size(), 1u);
}

TEST_P(UserLedgerContract, ARoleIsChangedWithItsDeedOrNotAtAll) {
    add_user(1);
    add_user(2);
    EXPECT_TRUE(
        run_to_end(users.change_role(UserId{2}, Role::buyer, Role::operator_, make_deed(1))));
    EXPECT_EQ(run_to_end(users.find(UserId{2}))->role, Role::operator_);
    const auto stale =
        run_to_end(users.change_role(UserId{2}, Role::buyer, Role::admin, make_deed(2)));
    EXPECT_EQ(stale.error().detail, Detail::changed_meanwhile);
    EXPECT_EQ(deeds(), 1u);
}

TEST_P(UserLedgerContract, TheLastAdminStaysOne) {
    add_user(1);
    add_user(2);
    run_to_end(users.set_role(UserId{1}, Role::admin, make_deed(11)));
    run_to_end(users.set_role(UserId{2}, Role::admin, make_deed(12)));
    EXPECT_TRUE(run_to_end(users.change_role(UserId{2}, Role::admin, Role::buyer, make_deed(1))));
    const auto last =
        run_to_end(users.change_role(UserId{1}, Role::admin, Role::buyer, make_deed(2)));
    EXPECT_EQ(last.error().detail, Detail::last_admin);
    EXPECT_EQ(run_to_end(users.find(UserId{1}))->role, Role::admin);
}

TEST_P(UserLedgerContract, AddsThoseWhosePhoneIsFree) {
    add_user(1);
    auto taken = make_account(2);
    taken.user.phone = make_user(1).phone;
    const auto phones = std::vector{make_user(1).phone, make_user(3).phone};
    EXPECT_EQ(run_to_end(users.find_taken(phones)), std::vector{make_user(1).phone});
    EXPECT_EQ(run_to_end(users.add_free({taken}, make_deed(1))), std::vector{make_user(1).phone});
    EXPECT_EQ(deeds(), 0u) << "nobody was added";
    EXPECT_EQ(run_to_end(users.add_free({taken, make_account(3)}, make_deed(1))),
              std::vector{make_user(1).phone});
    EXPECT_EQ(deeds(), 1u);
    EXPECT_EQ(run_to_end(users.find_by_phone(make_user(1).phone))->user.id, UserId{1});
    EXPECT_EQ(run_to_end(users.find_by_phone(make_user(3).phone))->password_hash, "hash");
}

TEST_P(UserLedgerContract, MintedBuyersHaveASessionAndNoPassword) {
    ASSERT_TRUE(run_to_end(users.mint({make_minted(1), make_minted(2)})));
    EXPECT_FALSE(run_to_end(users.find_by_phone(make_user(2).phone))->password_hash);
    EXPECT_EQ(run_to_end(sessions.find(make_key(2), now))->user_id, UserId{2});
}

TEST_P(UserLedgerContract, MintsAllOrNone) {
    add_user(3);
    const auto outcome = run_to_end(users.mint({make_minted(1), make_minted(2), make_minted(3)}));
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason, Reason::conflict);
    EXPECT_FALSE(run_to_end(users.find_by_phone(make_user(1).phone)));
    EXPECT_FALSE(run_to_end(sessions.find(make_key(1), now)));
}

RUN_ON_EVERY_ADAPTER(UserLedgerContract);

}  // namespace
}  // namespace sluice
