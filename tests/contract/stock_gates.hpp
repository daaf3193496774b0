#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "adapters/memory/memory_stock_gate.hpp"
#include "base/run_to_end.hpp"
#include "contract/hot_keys_gate.hpp"
#include "simulation/faulty_gate.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/warm_copy.hpp"

namespace sluice::contract {

using testing_support::CopyToFill;

inline constexpr Timestamp kNow = from_millis(1'794'513'600'000);

/// A gate that has to pass the contract, with everything that it needs.
class GateUnderTest {
  public:
    virtual ~GateUnderTest() = default;
    virtual StockGate& gate() = 0;
};

class InMemory final : public GateUnderTest {
  public:
    StockGate& gate() override { return gate_; }

  private:
    MemoryStockGate gate_;
};

/// The simulation's wrapper, with its faults off: it must be neither laxer nor stricter than the
/// gate that it wraps.
class FaultyButCalm final : public GateUnderTest {
  public:
    FaultyButCalm() { schedule_.set_calm(true); }
    StockGate& gate() override { return faulty_; }

  private:
    LocalLoop loop_;
    simulation::Chance chance_{1};
    simulation::Schedule schedule_{loop_, chance_};
    MemoryStockGate gate_;
    simulation::FaultyGate faulty_{gate_, schedule_};
};

/// The model of Redis in the simulation of a cluster.
class ModelOfRedis final : public GateUnderTest {
  public:
    StockGate& gate() override { return gate_; }

  private:
    testing_support::HotKeysGate gate_;
};

class InRedis final : public GateUnderTest {
  public:
    StockGate& gate() override { return node_.gate(); }

  private:
    testing_support::RedisNode node_{testing_support::RedisServer::shared().options()};
};

struct GateAdapter {
    const char* name;
    std::unique_ptr<GateUnderTest> (*make)();
};

/// With sale 1: 5 units left, buyer 8 holds one, buyer 9 none but has history.
class StockGateContract : public testing::TestWithParam<GateAdapter> {
  protected:
    std::unique_ptr<GateUnderTest> made = GetParam().make();
    StockGate& gate = made->gate();

    void SetUp() override { warm(make_copy()); }

    static CopyToFill make_copy(std::int64_t epoch = 1) {
        return {.epoch = epoch, .left = 5, .holdings = {{UserId{8}, 1}, {UserId{9}, 0}}};
    }
    static Ticket make_ticket(std::int64_t buyer, unsigned char number = 1,
                              std::int64_t quantity = 1) {
        Ticket ticket;
        ticket.id = {SaleId{1}, Mark{number, static_cast<unsigned char>(buyer)}};
        ticket.buyer = UserId{buyer};
        ticket.quantity = quantity;
        ticket.claimed_at = kNow;
        return ticket;
    }
    StockGate::Claimed claim(const Ticket& ticket, std::int64_t limit = 2) {
        return run_to_end(gate.claim(ticket, limit));
    }
    std::vector<TicketId> settle(const Ticket& ticket) {
        return run_to_end(gate.settle({StockGate::ClaimName(ticket)}));
    }
    void release(const Ticket& ticket) { run_to_end(gate.release({StockGate::ClaimName(ticket)})); }
    bool is_open(const Ticket& ticket) { return run_to_end(gate.is_open(ticket.id, ticket.buyer)); }
    bool warm(const CopyToFill& copy) { return testing_support::warm(gate, copy); }
    std::optional<std::int64_t> apply(std::vector<HotChange> rows, std::int64_t epoch = 1) {
        return run_to_end(gate.apply(SaleId{1}, epoch, std::move(rows)));
    }
    /// A ticket of buyer 7.
    static HotChange row(std::int64_t seq, std::int64_t left, std::int64_t units = 0) {
        return {.seq = seq, .delta_left = left, .buyer = UserId{7}, .delta_units = units};
    }
    std::vector<Ticket> condemn(Timestamp before) { return run_to_end(gate.condemn(before)); }
    StockGate::Snapshot snapshot() { return run_to_end(gate.snapshot(SaleId{1})).value(); }
    void expect_units(std::int64_t left, std::int64_t open) {
        EXPECT_EQ(snapshot().left, left);
        EXPECT_EQ(snapshot().open, open);
    }
};

}  // namespace sluice::contract
