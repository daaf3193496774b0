#include <gmock/gmock.h>

#include "base/id_source.hpp"
#include "base/run_to_end.hpp"
#include "contract/ledgers.hpp"

namespace sluice {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

class SandboxLedgerContract : public contract::LedgerContract {
  protected:
    SandboxLedger& sandbox = ledgers->all().sandbox();

    static SandboxLedger::Account account(std::string ref) {
        return {.ref = std::move(ref),
                .payment = PaymentId{7},
                .amount_cents = 5,
                .currency = "CNY",
                .paid = false};
    }
    SandboxLedger::Letter letter(std::int64_t id, Timestamp due) {
        return {.id = LetterId{id}, .body = "{}", .due_at = due, .attempts = 0};
    }
    std::vector<SandboxLedger::Letter> due(Timestamp at) {
        return run_to_end(sandbox.post(at, 100)).due;
    }
};

TEST_P(SandboxLedgerContract, APaymentHasOneAccount) {
    EXPECT_EQ(run_to_end(sandbox.open(account("first"), now)).ref, "first");
    EXPECT_EQ(run_to_end(sandbox.open(account("second"), now)).ref, "first");
    EXPECT_EQ(run_to_end(sandbox.find("first"))->payment, PaymentId{7});
    EXPECT_FALSE(run_to_end(sandbox.find("second")));
}

TEST_P(SandboxLedgerContract, IsPaidOnce) {
    run_to_end(sandbox.open(account("a"), now));
    EXPECT_EQ(run_to_end(sandbox.press("x", true, {letter(1, now)})).error().reason,
              Reason::not_found);
    EXPECT_TRUE(run_to_end(sandbox.press("a", false, {letter(2, now)})));
    EXPECT_TRUE(run_to_end(sandbox.press("a", true, {letter(3, now)}))->paid);
    EXPECT_EQ(run_to_end(sandbox.press("a", true, {letter(4, now)})).error().reason,
              Reason::conflict);
    EXPECT_THAT(due(now), SizeIs(2));
}

TEST_P(SandboxLedgerContract, IsNotTriedForEver) {
    run_to_end(sandbox.open(account("a"), now));
    for (std::int64_t id = 1; id <= 20; ++id)
        EXPECT_TRUE(run_to_end(sandbox.press("a", false, {letter(id, now)})));
    EXPECT_FALSE(run_to_end(sandbox.press("a", false, {letter(21, now)})));
}

TEST_P(SandboxLedgerContract, LettersAreDueUntilTheyAreDelivered) {
    run_to_end(sandbox.open(account("a"), now));
    const auto later = now + seconds{5};
    run_to_end(sandbox.press("a", true, {letter(1, now), letter(2, later)}));
    EXPECT_THAT(due(now), ElementsAre(Field(&SandboxLedger::Letter::id, LetterId{1})));
    EXPECT_EQ(run_to_end(sandbox.post(now, 100)).next, later);
    run_to_end(sandbox.put_off(LetterId{1}, now + seconds{1}));
    EXPECT_THAT(due(now), IsEmpty());
    EXPECT_EQ(due(now + seconds{1})[0].attempts, 1);
    run_to_end(sandbox.note_delivered(LetterId{1}, now));
    run_to_end(sandbox.put_off(LetterId{2}, std::nullopt));
    EXPECT_THAT(due(later), IsEmpty());
    EXPECT_EQ(run_to_end(sandbox.post(now, 100)).next, std::nullopt);
}

TEST_P(SandboxLedgerContract, RefundsOnceForAKeyAndTellsOfItOnce) {
    run_to_end(sandbox.open(account("a"), now));
    run_to_end(sandbox.press("a", true, {letter(1, now + seconds{1})}));
    const Charge charge{ChargeId{1}, "c", 5, "CNY"};
    EXPECT_TRUE(run_to_end(sandbox.refund("k", PaymentId{7}, charge, letter(2, now))));
    EXPECT_TRUE(run_to_end(sandbox.refund("k", PaymentId{7}, charge, letter(3, now))));
    EXPECT_THAT(due(now), SizeIs(1));
}

TEST_P(SandboxLedgerContract, RefundsNothingThatItNeverTook) {
    const Charge charge{ChargeId{1}, "c", 5, "CNY"};
    const auto refund = [&] {
        return run_to_end(sandbox.refund("k", PaymentId{7}, charge, letter(9, now)));
    };
    EXPECT_EQ(refund().error().reason, Reason::not_found) << "it knows of no bill";
    run_to_end(sandbox.open(account("a"), now));
    run_to_end(sandbox.press("a", false, {}));
    EXPECT_EQ(refund().error().reason, Reason::not_found) << "the bill was not paid";
    EXPECT_THAT(due(now), IsEmpty());
}

TEST_P(SandboxLedgerContract, ForgetsWhatIsOldAndOverButNeverARefund) {
    using std::chrono::hours;
    const auto id_at = [](Timestamp at, int more = 0) { return IdSource::first_at(at) + more; };
    const auto open = [&](std::string ref, Timestamp at) {
        auto draft = account(std::move(ref));
        draft.payment = PaymentId{id_at(at)};
        run_to_end(sandbox.open(std::move(draft), at));
    };
    const auto limit = now - hours{48}, old = limit - seconds{1};
    open("old", old);
    open("new", limit);
    run_to_end(
        sandbox.press("old", true, {letter(id_at(old, 1), old), letter(id_at(old, 2), old)}));
    run_to_end(sandbox.press("new", false, {letter(id_at(limit, 1), limit)}));
    run_to_end(sandbox.note_delivered(LetterId{id_at(old, 1)}, old));
    run_to_end(sandbox.note_delivered(LetterId{id_at(limit, 1)}, limit));
    const Charge charge{ChargeId{1}, "c", 5, "CNY"};
    const PaymentId paid{id_at(old)};
    run_to_end(sandbox.refund("k", paid, charge, letter(id_at(old, 3), old)));

    EXPECT_EQ(run_to_end(sandbox.prune(limit, 100)), 1U);
    EXPECT_FALSE(run_to_end(sandbox.find("old")));
    EXPECT_TRUE(run_to_end(sandbox.find("new")));
    EXPECT_THAT(due(now), SizeIs(2)) << "what is still to be told is kept";
    EXPECT_TRUE(run_to_end(sandbox.refund("k", paid, charge, letter(id_at(now), now))));
    EXPECT_THAT(due(now), SizeIs(2)) << "the same key refunds nothing again";
    EXPECT_EQ(run_to_end(sandbox.prune(limit, 100)), 0U);
}

TEST_P(SandboxLedgerContract, ForgetsInBites) {
    run_to_end(sandbox.open(account("a"), now));
    std::vector<SandboxLedger::Letter> letters;
    for (int id = 1; id <= 5; ++id) letters.push_back(letter(id, now));
    run_to_end(sandbox.press("a", true, letters));
    for (int id = 1; id <= 5; ++id) run_to_end(sandbox.put_off(LetterId{id}, std::nullopt));
    EXPECT_EQ(run_to_end(sandbox.prune(now, 3)), 3U);
    EXPECT_EQ(run_to_end(sandbox.prune(now, 3)), 2U);
    EXPECT_EQ(run_to_end(sandbox.prune(now, 3)), 0U);
}

RUN_ON_EVERY_ADAPTER(SandboxLedgerContract);

}  // namespace
}  // namespace sluice
