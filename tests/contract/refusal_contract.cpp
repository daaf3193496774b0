#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "adapters/memory/memory_session_store.hpp"
#include "api/routes.hpp"
#include "api/shop/buying.hpp"
#include "api/shop/entrance.hpp"
#include "app/catalog/sold_out_flags.hpp"
#include "app/passes/local_entry_desk.hpp"
#include "base/run_to_end.hpp"
#include "gate/front_door.hpp"
#include "support/allocations.hpp"
#include "support/manual_clock.hpp"
#include "support/pass_keys.hpp"
#include "support/scripted_lists.hpp"
#include "support/scripted_ports.hpp"
#include "support/seeded_random.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;
using api::Buying, api::Entrance, api::kRoutes;

/// Nobody looks for networks here.
class NoNetworks final : public HoldNetworkLedger {
    Task<Done> note(std::vector<HoldNetwork>) override { co_return Done{}; }
    Task<std::size_t> prune(Timestamp, Timestamp, std::size_t) override { co_return 0; }
};

/// One user, whose name is too long to fit into a string without memory of its own.
class OneSession final : public SessionLedger {
  public:
    Task<std::optional<Session>> add(OpenedSession opened) override {
        session_ = {opened.user, "欧阳娜娜的超级粉丝俱乐部会长", Role::buyer, opened.expires_at,
                    opened.ends_at};
        co_return session_;
    }
    Task<std::optional<Session>> find(SessionKey, Timestamp) override { co_return session_; }
    Task<std::vector<SessionKey>> extend(std::vector<Extension>) override {
        co_return std::vector<SessionKey>{};
    }
    Task<Done> remove(SessionKey) override { co_return Done{}; }
    Task<std::vector<SessionKey>> keys_of(UserId) override { co_return std::vector<SessionKey>{}; }
    Task<std::vector<SessionKey>> remove_all(UserId, std::optional<Deed>) override {
        co_return std::vector<SessionKey>{};
    }
    Task<std::size_t> prune(Timestamp, std::size_t) override { co_return 0; }

  private:
    std::optional<Session> session_;
};

/// What the server does with a request from its complete bytes to its refusal.
class CheapRefusal : public testing::Test {
  protected:
    Config config;
    testing_support::ManualClock clock;
    testing_support::SeededRandom random{1};
    testing_support::EmptyCatalogLedger catalog_ledger;
    testing_support::ScriptedGate gate;
    testing_support::ScriptedIntake intake;
    testing_support::ScriptedOrders orders;
    OneSession session_ledger;
    const PassKeyRing pass_keys{{testing_support::pass_key(1)}};
    const Passes passes{pass_keys};
    const TicketMarks marks{TicketMarks::Key{2}};
    const SessionTokens tokens{SessionTokens::MasterKey{3}};
    Catalog catalog{catalog_ledger};
    SoldOutFlags flags{catalog};
    LocalEntryDesk desk{passes, random, clock};
    ChallengeDesk challenges{WorkChallenges::Key{4}, [] { return 0.0; }, random, clock, {}};
    Admission admission{1'024};
    Turnstile turnstile{catalog, gate, passes, marks, admission, intake, clock};
    Log quiet{Log::Level::error, Log::Format::text};
    HotOutbox outbox{gate, orders, quiet};
    ClaimSettler settler{gate, outbox, [](SaleId) {}};
    Purchase purchase{gate, intake, orders, settler, marks, desk};
    Absences absences{{8}};
    FindTicket find_ticket{catalog, gate, orders, absences, clock};
    DecisionWatch decisions{orders};
    NoNetworks no_networks;
    NetworkNotes networks{no_networks, clock};
    Buying buying{turnstile, purchase, find_ticket, decisions, networks};
    LimitScope scope;
    gate::GuessLimiter guesses{scope, {9}};
    gate::AttemptLimiter attempts{{10}};
    NetworkHolders holders{orders, clock};
    testing_support::ScriptedLists lists;
    ListedBuyers listed{lists, {}, clock};
    IssuePass issue_pass{challenges, desk, catalog, gate, orders, holders, listed, clock};
    gate::RatesInForce entrance_rates{config.limits.rates};
    Entrance entrance{issue_pass, catalog, guesses, attempts, scope, entrance_rates};
    MemorySessionStore sessions{session_ledger, {.length = 30min}, 1'000};
    gate::RatesInForce rates{config.limits.rates};
    gate::Speed speed{scope, rates, {5}};
    gate::BlockList blocks;
    const http::StaticFiles files{"/nowhere"};
    Log log{Log::Level::error, Log::Format::text};
    gate::FrontDoor door{config, kRoutes, speed, tokens, sessions, files, blocks, clock, log};

    SaleId sale{1};
    std::string bearer, pass;
    http::Exchange exchange;

    void SetUp() override {
        for (const auto& route : kRoutes)
            if (route.name == "buy")
                door.bind(route.name, [this](auto& each) { return buying.buy(each); });
            else if (route.name == "create_pass")
                door.bind(route.name, [this](auto& each) { return entrance.create_pass(each); });
            else if (route.name == "create_challenge")
                door.bind(route.name,
                          [this](auto& each) { return entrance.create_challenge(each); });
        Item item;
        item.id = ItemId{1};
        catalog.put(item);
        Sale open;
        open.id = sale;
        open.item_id = item.id;
        open.starts_at = clock.now();
        open.stock = {.total = 5, .left = 5, .held = 0, .sold = 0};
        catalog.put(open);

        const auto token = tokens.make(std::array<unsigned char, SessionTokens::kSecretBytes>{6});
        bearer = "Bearer " + token.text;
        const auto caller = run_to_end(
            sessions.open(token.name, {.user = UserId{7}, .password_hash = ""}, clock.now()));
        pass = desk.places().issue(*caller, sale, 5, clock.now())->pass;
    }

    /// The code of the answer to the last of a few requests, and how often that one allocated
    /// memory: the buffers of a connection grow with its first requests.
    std::pair<std::string, std::size_t> post(const std::string& path) {
        std::size_t asked = 0;
        for (int i = 0; i < 4; ++i) {
            exchange.clear();
            exchange.request.method = http::Method::post;
            exchange.request.path = path;
            exchange.request.fields.push_back({"Host", "shop.example"});
            exchange.request.fields.push_back({"Authorization", bearer});
            exchange.request.peer = *Address::parse("203.0.113.7");
            exchange.began = std::chrono::steady_clock::now();
            exchange.context = {.language = http::Language::zh, .request_id = "0123456789abcdef"};
            const auto before = testing_support::allocations();
            EXPECT_FALSE(door.serve(exchange)) << "it started a coroutine";
            asked = testing_support::allocations() - before;
        }
        const auto problem = boost::json::parse(exchange.response.content());
        return {std::string(problem.at("code").as_string()), asked};
    }
    std::string path(std::string_view end) const {
        return "/api/v1/sales/" + sale.text() + "/" + std::string(end);
    }
    using Answer = std::pair<std::string, std::size_t>;
};

TEST_F(CheapRefusal, CountsWhatIsAskedFor) {
    const auto before = testing_support::allocations();
    const auto made = std::make_unique<int>(1);
    EXPECT_EQ(testing_support::allocations(), before + 1);
}

TEST_F(CheapRefusal, SoldOut) {
    flags.sold_out(sale);
    gate.seen.left = 0;
    EXPECT_EQ(post(path("orders/" + pass)), Answer("sold_out", 0));
    EXPECT_EQ(post(path("passes")), Answer("sold_out", 0));
    EXPECT_EQ(post(path("challenges")), Answer("sold_out", 0));
}

TEST_F(CheapRefusal, Ended) {
    auto over = catalog.sale(sale)->sale;
    over.ended_at = clock.now();
    over.version = 2;
    catalog.put(over);
    EXPECT_EQ(post(path("orders/" + pass)), Answer("ended", 0));
    EXPECT_EQ(post(path("passes")), Answer("ended", 0));
}

TEST_F(CheapRefusal, NoPlaceInTheGate) {
    Caller other;
    for (std::int64_t id = 100; id < 125; ++id) {
        other.id = UserId{id};
        desk.places().issue(other, sale, 1'000, clock.now()).value();
    }
    desk.note_claim(UserId{7}, sale, false);
    EXPECT_EQ(post(path("passes")), Answer("gate_closed", 0));
}

TEST_F(CheapRefusal, APassThatIsNotOurs) {
    pass.front() = pass.front() == 'A' ? 'B' : 'A';
    EXPECT_EQ(post(path("orders/" + pass)), Answer("pass_invalid", 0));
}

TEST_F(CheapRefusal, ATokenThatIsNotOurs) {
    bearer.back() = bearer.back() == 'A' ? 'B' : 'A';
    EXPECT_EQ(post(path("orders/" + pass)), Answer("unauthenticated", 0));
}

TEST_F(CheapRefusal, TooFast) {
    auto limits = config.limits.rates;
    limits.of(RateClass::buying) = {.per_minute = 1, .burst = 1};
    rates.set(limits);
    EXPECT_EQ(post(path("orders/x")), Answer("rate_limited", 0));
    limits.people_per_address = 1;
    rates.set(limits);
    EXPECT_EQ(post(path("passes")), Answer("rate_limited", 0));
}

TEST_F(CheapRefusal, TheSaleOrTheNodeIsFull) {
    auto limits = config.limits.rates;
    limits.sale = {.per_second = 1, .burst = 1};
    rates.set(limits);
    EXPECT_EQ(post(path("orders/x")), Answer("busy", 0));
    limits.node = {.per_second = 1, .burst = 1};
    rates.set(limits);
    EXPECT_EQ(post(path("passes")), Answer("busy", 0));
}

TEST_F(CheapRefusal, Blocked) {
    Block block;
    block.subject = UserId{7};
    blocks.replace({&block, 1});
    EXPECT_EQ(post(path("passes")), Answer("forbidden", 0));
    block.subject = *Network::parse("203.0.113.0/24");
    blocks.replace({&block, 1});
    EXPECT_EQ(post(path("passes")), Answer("forbidden", 0));
}

}  // namespace
}  // namespace sluice
