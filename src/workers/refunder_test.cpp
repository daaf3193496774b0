#include "workers/refunder.hpp"

#include <set>

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "support/manual_clock.hpp"

namespace sluice {
namespace {

using std::chrono::seconds;

/// Owes one refund; loses only what it is told to lose.
class OneOwed final : public PaymentLedger {
  public:
    bool done = false;
    bool loses_note = false;
    std::string taken_by = "bank";
    std::int64_t attempts = 0;
    Timestamp next{};

    Task<OwedRefunds> owed_refunds(std::string provider, Timestamp now, std::size_t) override {
        OwedRefunds refunds;
        if (!done) refunds.owed[taken_by] = 1;
        OwedRefund refund;
        refund.charge.id = ChargeId{42};
        refund.attempts = attempts;
        if (!done && next <= now && provider == taken_by) refunds.due.push_back(refund);
        co_return refunds;
    }
    Task<Done> note_refunded(ChargeId, Timestamp) override {
        if (loses_note) throw Outage("away");
        done = true;
        co_return Done{};
    }
    Task<Done> put_off_refund(ChargeId, Timestamp until) override {
        ++attempts;
        next = until;
        co_return Done{};
    }
    Task<Outcome<OrderId>> note_sent_back(ChargeId, std::string, Deed) override {
        co_return refuse(Reason::conflict);
    }
    Task<Outcome<Payment>> begin(Payment, UserId) override { co_return refuse(Reason::conflict); }
    Task<Outcome<Created>> keep_bill(PaymentId, Bill, std::optional<Receipt>) override {
        co_return Created{};
    }
    Task<Outcome<Taken>> take(PaymentEvent, Timestamp) override { co_return Taken{}; }
    Task<Outcome<OrderLedger::GivenBack>> refund(OrderId, Deed) override {
        co_return refuse(Reason::conflict);
    }
    Task<std::optional<History>> history(OrderId) override { co_return std::nullopt; }
};

class CountingProvider final : public PaymentProvider {
  public:
    bool away = false;
    int asked = 0;
    std::set<ChargeId> keys;

    std::string_view name() const override { return "bank"; }
    Task<Bill> start(Payment) override { co_return Bill{}; }
    Task<Done> refund(RefundWish wish) override {
        ++asked;
        if (away) throw Outage("away");
        keys.insert(wish.charge.id);
        co_return Done{};
    }
};

class RefunderTest : public testing::Test {
  protected:
    void round() { run_to_end(refunder.refund_due()); }

    OneOwed ledger;
    CountingProvider provider;
    testing_support::ManualClock clock;
    Log log{Log::Level::error, Log::Format::text};
    Refunder refunder{ledger, &provider, clock, log};
};

TEST_F(RefunderTest, RefundsAndIsDone) {
    round();
    EXPECT_TRUE(ledger.done);
    EXPECT_EQ(refunder.owed("bank"), 0U);
    round();
    EXPECT_EQ(provider.asked, 1);
}

TEST_F(RefunderTest, AsksAgainWithTheSameKeyWhenTheNoteWasLost) {
    ledger.loses_note = true;
    EXPECT_THROW(round(), Outage);
    ledger.loses_note = false;
    round();
    EXPECT_EQ(provider.asked, 2);
    EXPECT_EQ(provider.keys.size(), 1U);
}

TEST_F(RefunderTest, WaitsLongerEachTimeAndNeverGivesUp) {
    provider.away = true;
    std::chrono::milliseconds pause{0};
    for (int i = 0; i < 20; ++i) {
        round();
        const auto next = ledger.next - clock.now();
        EXPECT_GE(next, pause);
        pause = next;
        clock.move(pause - std::chrono::milliseconds{1});
        const int asked = provider.asked;
        round();
        EXPECT_EQ(provider.asked, asked) << "too early";
        clock.move(std::chrono::milliseconds{1});
    }
    EXPECT_EQ(pause, Refunder::kLongestPause);
    EXPECT_EQ(refunder.owed("bank"), 1U);
    provider.away = false;
    round();
    EXPECT_TRUE(ledger.done);
}

TEST_F(RefunderTest, MoneyOfAnotherProviderStaysOwed) {
    ledger.taken_by = "other";
    round();
    EXPECT_EQ(provider.asked, 0);
    EXPECT_FALSE(ledger.done);
    EXPECT_EQ(refunder.owed("other"), 1U);
    EXPECT_EQ(refunder.owed("bank"), 0U);
}

TEST_F(RefunderTest, WithoutAProviderItCountsAndAsksNobody) {
    Refunder idle(ledger, nullptr, clock, log);
    run_to_end(idle.refund_due());
    EXPECT_EQ(idle.owed("bank"), 1U);
    EXPECT_FALSE(ledger.done);
    EXPECT_EQ(ledger.attempts, 0) << "nothing is put off: a provider would be asked at once";
    round();
    EXPECT_TRUE(ledger.done);
    run_to_end(idle.refund_due());
    EXPECT_EQ(idle.owed("bank"), 0U);
}

}  // namespace
}  // namespace sluice
