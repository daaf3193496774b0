#include "adapters/memory/memory_stock_gate.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/run_to_end.hpp"
#include "support/warm_copy.hpp"

namespace sluice {
namespace {

using testing_support::warm;
using Verdict = StockGate::Verdict;

constexpr Timestamp kNow = from_millis(1'794'513'600'000);
constexpr std::int64_t kLimit = 2;

/// Buyers have three tickets each; a ticket has its quantity.
Ticket make_ticket(int buyer, int number, Timestamp at = kNow) {
    Ticket ticket;
    ticket.id = {SaleId{1},
                 Mark{static_cast<unsigned char>(buyer), static_cast<unsigned char>(number)}};
    ticket.buyer = UserId{buyer};
    ticket.quantity = number == 3 ? 2 : 1;
    ticket.claimed_at = at;
    return ticket;
}

/// A simple model with the same behaviour.
class Model {
  public:
    explicit Model(std::int64_t stock) : left(stock) {}

    Verdict claim(const Ticket& ticket) {
        if (open.contains(ticket.id)) return Verdict::again;
        if (done.contains(ticket.id)) return Verdict::done;
        if (units[ticket.buyer] + ticket.quantity > kLimit) return Verdict::already;
        if (left < ticket.quantity) return Verdict::sold_out;
        open.emplace(ticket.id, ticket);
        left -= ticket.quantity;
        units[ticket.buyer] += ticket.quantity;
        return Verdict::won;
    }
    void settle(const Ticket& ticket) {
        if (open.erase(ticket.id) == 0) return;
        settled += ticket.quantity;
        done.insert(ticket.id);
    }
    void release(const Ticket& ticket) {
        if (open.erase(ticket.id) == 0) return;
        left += ticket.quantity;
        units[ticket.buyer] -= ticket.quantity;
        done.insert(ticket.id);
    }
    std::int64_t open_units() const {
        std::int64_t sum = 0;
        for (const auto& [id, ticket] : open) sum += ticket.quantity;
        return sum;
    }

    std::int64_t left;
    std::int64_t settled = 0;
    std::map<UserId, std::int64_t> units;

  private:
    std::map<TicketId, Ticket> open;
    std::set<TicketId> done;
};

RC_GTEST_PROP(MemoryStockGate, DoesWhatThePlainestModelDoes, ()) {
    const auto stock = *rc::gen::inRange<std::int64_t>(0, 6);
    MemoryStockGate gate;
    warm(gate, {.left = stock});
    Model model(stock);
    const auto steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) {
        const auto ticket = make_ticket(*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 4));
        const auto verb = *rc::gen::inRange(0, 8);
        if (verb < 4)
            RC_ASSERT(run_to_end(gate.claim(ticket, kLimit)).verdict == model.claim(ticket));
        if (verb == 4 || verb == 5) {
            run_to_end(gate.release({StockGate::ClaimName(ticket)}));
            model.release(ticket);
        }
        if (verb == 6) {
            run_to_end(gate.settle({StockGate::ClaimName(ticket)}));
            model.settle(ticket);
        }
        if (verb == 7) run_to_end(gate.condemn(kNow + std::chrono::seconds{1}));
        const auto snapshot = run_to_end(gate.snapshot(SaleId{1})).value();
        RC_ASSERT(snapshot.left == model.left);
        RC_ASSERT(snapshot.open == model.open_units());
        RC_ASSERT(snapshot.left >= 0);
        RC_ASSERT(snapshot.left + snapshot.open + model.settled == stock);
        for (int buyer = 1; buyer <= 3; ++buyer) {
            const auto units = gate.glance(SaleId{1}, UserId{buyer}).units;
            RC_ASSERT(units == model.units[UserId{buyer}]);
            RC_ASSERT(units >= 0 && units <= kLimit);
        }
    }
}

TEST(MemoryStockGate, RemembersWhatWasSettledLongerThanAnyRequestAndNotForEver) {
    MemoryStockGate gate;
    warm(gate, {.left = 100});
    const auto first = make_ticket(1, 1);
    const auto buy = [&](int buyer, Timestamp at) {
        const auto ticket = make_ticket(buyer, 1, at);
        ASSERT_EQ(run_to_end(gate.claim(ticket, kLimit)).verdict, Verdict::won);
        run_to_end(gate.settle({StockGate::ClaimName(ticket)}));
    };
    buy(1, kNow);
    auto now = kNow + MemoryStockGate::kMemory;
    buy(2, now);
    EXPECT_EQ(run_to_end(gate.claim(first, kLimit)).verdict, Verdict::done);
    now += std::chrono::milliseconds{1};
    buy(3, now);
    EXPECT_EQ(run_to_end(gate.claim(first, kLimit)).verdict, Verdict::done);
    buy(4, now + MemoryStockGate::kMemory + std::chrono::milliseconds{1});
    EXPECT_EQ(run_to_end(gate.claim(first, kLimit)).verdict, Verdict::won);
}

TEST(MemoryStockGate, TenThousandSalesThatAreOverLeaveNothingBehind) {
    MemoryStockGate gate;
    constexpr std::int64_t kSales = 10'000;
    for (std::int64_t sale = 1; sale <= kSales; ++sale)
        warm(gate, {.sale = SaleId{sale}, .left = 5, .holdings = {{UserId{1}, 1}}});
    for (const auto& copy : run_to_end(gate.open_copies()))
        ASSERT_TRUE(run_to_end(gate.forget(copy.filling.sale, copy.filling.epoch)));
    EXPECT_TRUE(run_to_end(gate.open_copies()).empty());
    EXPECT_FALSE(gate.glance(SaleId{1}, UserId{1}).warm);
    EXPECT_FALSE(gate.glance(SaleId{kSales}, UserId{1}).history);
}

}  // namespace
}  // namespace sluice
