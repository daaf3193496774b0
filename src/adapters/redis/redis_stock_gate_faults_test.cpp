// The hot copies when Redis fails: faults 10, 11 and 35, as far as they concern one adapter. A copy
// that may have lost anything is never sold from; a new epoch replaces it.

#include <sstream>

#include <gmock/gmock.h>

#include "adapters/redis/redis_stock_gate.hpp"
#include "base/run_to_end.hpp"
#include "support/cutting_proxy.hpp"
#include "support/redis_node.hpp"
#include "support/redis_server.hpp"
#include "support/warm_copy.hpp"

namespace sluice::redis {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing_support::CuttingProxy;
using testing_support::eventually;
using testing_support::RedisNode;
using testing_support::RedisServer;
using Verdict = StockGate::Verdict;

constexpr SaleId kSale{1};

Ticket make_ticket(unsigned char number, std::int64_t epoch = 1) {
    Ticket ticket;
    ticket.id = {kSale, Mark{number}};
    ticket.buyer = UserId{1'000 + number};
    ticket.epoch = epoch;
    ticket.claimed_at = from_millis(1'794'513'600'000);
    return ticket;
}

bool warm(StockGate& gate, std::int64_t epoch = 1) {
    return testing_support::warm(
        gate, {.epoch = epoch, .left = 100, .holdings = {{UserId{8}, 1}, {UserId{9}, 0}}});
}

Verdict claim(StockGate& gate, const Ticket& ticket) {
    return run_to_end(gate.claim(ticket, 5)).verdict;
}

/// As the purchase does.
Verdict claim_until_known(StockGate& gate, const Ticket& ticket) {
    Verdict verdict = Verdict::unknown;
    EXPECT_TRUE(eventually([&] {
        verdict = claim(gate, ticket);
        return verdict != Verdict::unknown;
    }));
    return verdict;
}

/// No verb does anything, and the copy can be filled anew.
void expect_closed_and_healed(StockGate& gate, std::int64_t next_epoch) {
    EXPECT_EQ(run_to_end(gate.open_copy(kSale)), std::nullopt);
    EXPECT_EQ(run_to_end(gate.snapshot(kSale)), std::nullopt);
    EXPECT_THAT(run_to_end(gate.open_copies()), IsEmpty());
    EXPECT_THAT(run_to_end(gate.hand_off({StockGate::ClaimName(make_ticket(1))})), IsEmpty());
    EXPECT_THAT(run_to_end(gate.settle({StockGate::ClaimName(make_ticket(1))})), IsEmpty());
    run_to_end(gate.release({StockGate::ClaimName(make_ticket(1))}));
    EXPECT_THAT(run_to_end(gate.condemn(from_millis(2'000'000'000'000))), IsEmpty());
    EXPECT_EQ(run_to_end(gate.apply(kSale, 1, {{.seq = 1, .delta_left = 1, .buyer = {}}})),
              std::nullopt);
    EXPECT_FALSE(run_to_end(gate.forget(kSale, 1)));
    EXPECT_TRUE(eventually([&] { return !gate.glance(kSale, UserId{8}).warm; }));
    EXPECT_TRUE(warm(gate, next_epoch));
    EXPECT_TRUE(gate.glance(kSale, UserId{8}).warm);
    EXPECT_EQ(claim(gate, make_ticket(1, next_epoch)), Verdict::won);
    EXPECT_EQ(run_to_end(gate.snapshot(kSale))->left, 99);
}

TEST(RedisFaults, AServerThatWasKilledComesBackEmptyAndIsFilledAnew) {
    RedisServer server;
    RedisNode node(server.options());
    ASSERT_TRUE(warm(node.gate()));
    ASSERT_EQ(claim(node.gate(), make_ticket(1)), Verdict::won);
    server.kill();
    EXPECT_TRUE(eventually([&] { return claim(node.gate(), make_ticket(2)) == Verdict::unknown; }));
    server.start();
    EXPECT_EQ(claim_until_known(node.gate(), make_ticket(2)), Verdict::closed);
    EXPECT_EQ(run_to_end(node.gate().opened_epoch(kSale)), 0);
    expect_closed_and_healed(node.gate(), 2);
}

TEST(RedisFaults, WithTheConnectionGoesWhatWasReadOverIt) {
    RedisServer server;
    auto options = server.options();
    options.freshness = 1h;
    RedisNode node(options);
    ASSERT_TRUE(warm(node.gate()));
    ASSERT_TRUE(node.gate().glance(kSale, UserId{1}).warm);
    server.kill();
    EXPECT_TRUE(eventually([&] { return !node.gate().glance(kSale, UserId{1}).warm; }))
        << "somebody may have claimed elsewhere in the last moment";
}

TEST(RedisFaults, AServerThatComesBackWithAnOldStateIsNotTrusted) {
    RedisServer server;
    RedisNode node(server.options());
    ASSERT_TRUE(warm(node.gate()));
    ASSERT_EQ(claim(node.gate(), make_ticket(1)), Verdict::won);
    ASSERT_EQ(claim(node.gate(), make_ticket(3)), Verdict::won);
    server.ask({"SAVE"});
    ASSERT_EQ(claim(node.gate(), make_ticket(2)), Verdict::won);  // forgotten
    server.kill();
    server.start();
    EXPECT_EQ(claim_until_known(node.gate(), make_ticket(2)), Verdict::moved);
    EXPECT_EQ(run_to_end(node.gate().opened_epoch(kSale)), 1) << "the next one is above it";
    EXPECT_FALSE(warm(node.gate(), 1));
    expect_closed_and_healed(node.gate(), 2);
    EXPECT_FALSE(run_to_end(node.gate().is_open(make_ticket(3).id, make_ticket(3).buyer)))
        << "its marks may be lost too, and one that was promised would look abandoned";
}

TEST(RedisFaults, AnEmptiedServerIsClosed) {
    RedisServer server;
    RedisNode node(server.options());
    ASSERT_TRUE(warm(node.gate()));
    server.ask({"FLUSHALL"});
    EXPECT_EQ(claim(node.gate(), make_ticket(1)), Verdict::closed);
    expect_closed_and_healed(node.gate(), 2);
}

TEST(RedisFaults, EachKeyOfASaleThatIsMissingClosesIt) {
    auto& server = RedisServer::shared();
    std::size_t keys = 0;
    for (std::size_t which = 0; which == 0 || which < keys; ++which) {
        const auto options = server.options();
        RedisNode node(options);
        ASSERT_TRUE(warm(node.gate()));
        ASSERT_EQ(claim(node.gate(), make_ticket(1)), Verdict::won);
        std::vector<std::string> names;
        std::istringstream lines(server.ask({"KEYS", options.prefix + "{1}:*"}));
        for (std::string name; std::getline(lines, name);) names.push_back(name);
        keys = names.size();
        ASSERT_EQ(keys, 10U) << "epoch, log, former, and seven of the epoch";
        SCOPED_TRACE(names[which]);
        server.ask({"DEL", names[which]});
        EXPECT_EQ(claim(node.gate(), make_ticket(1)), Verdict::closed);
        EXPECT_EQ(claim(node.gate(), make_ticket(2)), Verdict::closed);
        expect_closed_and_healed(node.gate(), 2);
    }
}

TEST(RedisFaults, AKeyThatIsMissingEndsAFilling) {
    auto& server = RedisServer::shared();
    for (const auto* part : {"left", "applied", "run", "ledger", "buyers", "open", "done"}) {
        const auto options = server.options();
        RedisNode node(options);
        const StockGate::Filling filling{kSale, 1, "ledger"};
        ASSERT_TRUE(run_to_end(node.gate().begin_fill(filling, 5, 0)));
        server.ask({"DEL", options.prefix + "{1}:1:" + part});
        EXPECT_FALSE(run_to_end(node.gate().fill(filling, {{UserId{8}, 1}}))) << part;
        EXPECT_FALSE(run_to_end(node.gate().open_epoch(filling))) << part;
        EXPECT_TRUE(warm(node.gate(), 2));
    }
}

TEST(RedisFaults, AListOfSalesThatIsMissingHealsWithTheNextFilling) {
    const auto options = RedisServer::shared().options();
    RedisNode node(options);
    ASSERT_TRUE(warm(node.gate()));
    node.ask({"DEL", options.prefix + "sales"});
    EXPECT_THAT(run_to_end(node.gate().open_copies()), IsEmpty()) << "its keeper finds it cold";
    EXPECT_TRUE(warm(node.gate(), 2));
    EXPECT_EQ(run_to_end(node.gate().open_copies()).size(), 1U);
}

TEST(RedisFaults, AFrozenServerIsUnknownAndRecovers) {
    RedisServer server;
    auto options = server.options();
    RedisNode patient(options);
    ASSERT_TRUE(warm(patient.gate()));
    options.patience = 300ms;
    options.freshness = 2s;
    RedisNode node(options);
    ASSERT_TRUE(eventually([&] { return node.gate().glance(kSale, UserId{8}).warm; }));
    server.freeze();
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(claim(node.gate(), make_ticket(1)), Verdict::unknown);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    EXPECT_TRUE(eventually([&] { return !node.gate().glance(kSale, UserId{8}).warm; }))
        << "what nobody has read for so long counts for nothing";
    EXPECT_EQ(claim(node.gate(), make_ticket(1)), Verdict::unknown);
    server.thaw();
    const auto verdict = claim_until_known(node.gate(), make_ticket(1));
    EXPECT_TRUE(verdict == Verdict::won || verdict == Verdict::again);
    EXPECT_EQ(run_to_end(patient.gate().snapshot(kSale))->left, 99) << "once";
    EXPECT_TRUE(eventually([&] { return node.gate().glance(kSale, UserId{8}).warm; }));
}

TEST(RedisFaults, AReplicaThatTakesOverHasLostWritesAndIsNotTrusted) {
    const auto port = testing_support::free_port();
    RedisServer master({"--port", port, "--repl-diskless-sync-delay", "0"}), replica;
    replica.ask({"REPLICAOF", "127.0.0.1", port});
    // When a master gets its first replica its replication id changes, so it counts as another run.
    ASSERT_TRUE(eventually([&] {
        return replica.ask({"INFO", "replication"}).find("master_link_status:up") !=
               std::string::npos;
    }));
    auto options = master.options();
    options.places.push_back({.socket = replica.socket(), .host = {}});
    RedisNode node(options);
    ASSERT_TRUE(warm(node.gate()));
    ASSERT_EQ(claim(node.gate(), make_ticket(1)), Verdict::won);
    ASSERT_TRUE(eventually([&] { return node.ask({"WAIT", "1", "100"}).view().number() == 1; }));
    replica.ask({"REPLICAOF", "NO", "ONE"});
    ASSERT_EQ(claim(node.gate(), make_ticket(2)), Verdict::won);  // forgotten
    master.kill();
    EXPECT_EQ(claim_until_known(node.gate(), make_ticket(3)), Verdict::moved);
    expect_closed_and_healed(node.gate(), 2);
}

/// The same server, with the same run_id, whose copy may have lost anything meanwhile.
TEST(RedisFaults, AMasterThatWasAReplicaInBetweenIsNotTrusted) {
    RedisServer server;
    auto options = server.options();
    options.heartbeat = 20ms;
    RedisNode node(options);
    ASSERT_TRUE(warm(node.gate()));
    server.ask({"REPLICAOF", "127.0.0.1", "1"});
    server.ask({"REPLICAOF", "NO", "ONE"});
    EXPECT_TRUE(eventually([&] { return claim(node.gate(), make_ticket(1)) == Verdict::moved; }));
    EXPECT_EQ(run_to_end(node.gate().open_copy(kSale)), std::nullopt);
    EXPECT_TRUE(warm(node.gate(), 2));
}

TEST(RedisFaults, AFillingEndsWithItsRun) {
    RedisServer server;
    auto options = server.options();
    options.heartbeat = 20ms;
    RedisNode node(options);
    const StockGate::Filling filling{kSale, 1, "ledger"};
    ASSERT_TRUE(run_to_end(node.gate().begin_fill(filling, 5, 0)));
    const auto run = node.client().health().front().server.run;
    server.ask({"REPLICAOF", "127.0.0.1", "1"});
    server.ask({"REPLICAOF", "NO", "ONE"});
    ASSERT_TRUE(eventually([&] {
        const auto health = node.client().health().front();
        return health.is_connected && health.server.run != run;
    }));
    EXPECT_FALSE(run_to_end(node.gate().fill(filling, {{UserId{8}, 1}})));
    EXPECT_FALSE(run_to_end(node.gate().open_epoch(filling)));
    EXPECT_TRUE(warm(node.gate(), 2));
}

TEST(RedisFaults, AClaimWhoseAnswerIsCutAnywhereIsMadeOnce) {
    CuttingProxy proxy(RedisServer::shared().socket());
    auto options = RedisServer::shared().options();
    const auto direct = options;
    options.places = {{.socket = proxy.socket(), .host = {}}};
    options.heartbeat = 1h;
    RedisNode node(options, direct), witness(direct);
    ASSERT_TRUE(warm(node.gate()));
    int unknown = 0;
    for (unsigned char cut = 1; cut <= 40; ++cut) {
        proxy.cut_answer_after(cut);
        const auto first = claim(node.gate(), make_ticket(cut));
        unknown += first == Verdict::unknown ? 1 : 0;
        const auto second = claim_until_known(node.gate(), make_ticket(cut));
        EXPECT_EQ(second, Verdict::again) << int{cut};
        // If the answer was shorter than that, the next one is cut.
        EXPECT_TRUE(eventually(
            [&] { return run_to_end(node.gate().open_copy(kSale)) && proxy.has_cut(); }));
        EXPECT_EQ(run_to_end(witness.gate().snapshot(kSale))->left, 100 - cut) << int{cut};
    }
    EXPECT_GT(unknown, 20) << "most of the cuts were inside the answer";
}

TEST(RedisFaults, FullMemoryRefusesClaimsAndTakesUnitsBack) {
    RedisServer server;
    RedisNode node(server.options());
    ASSERT_TRUE(warm(node.gate()));
    ASSERT_EQ(claim(node.gate(), make_ticket(1)), Verdict::won);
    server.ask({"CONFIG", "SET", "maxmemory", "1"});
    EXPECT_EQ(claim(node.gate(), make_ticket(2)), Verdict::unknown);
    run_to_end(node.gate().release({StockGate::ClaimName(make_ticket(1))}));
    EXPECT_EQ(run_to_end(node.gate().snapshot(kSale))->left, 100) << "nothing was taken";
    EXPECT_EQ(run_to_end(node.gate().snapshot(kSale))->open, 0);
    server.ask({"CONFIG", "SET", "maxmemory", "0"});
    EXPECT_EQ(claim(node.gate(), make_ticket(2)), Verdict::won);
}

}  // namespace
}  // namespace sluice::redis
