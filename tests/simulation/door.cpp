#include "simulation/door.hpp"

#include <array>

#include "api/routes.hpp"
#include "base/check.hpp"
#include "simulation/population.hpp"
#include "support/scripted_lists.hpp"

namespace sluice::simulation {
namespace {

constexpr std::array<unsigned char, 16> kHashKey{3};
constexpr std::size_t kFewSets = 16;

/// Everybody's session, always in memory.
class EndlessSessions final : public SessionStore {
  public:
    EndlessSessions() {
        for (std::int64_t id = 1; id <= kLastUser; ++id) {
            std::array<unsigned char, SessionTokens::kSecretBytes> secret{};
            secret[0] = static_cast<unsigned char>(id);
            users_[static_cast<std::size_t>(id)] = tokens.make(secret);
        }
    }

    const std::string& token_of(UserId user) const {
        return users_[static_cast<std::size_t>(user.value)].text;
    }

    std::optional<Caller> peek(const TokenHandle& handle, Timestamp) override {
        for (std::size_t id = 1; id < users_.size(); ++id)
            if (users_[id].name.handle == handle) return caller(static_cast<std::int64_t>(id));
        return std::nullopt;
    }
    Task<std::optional<Caller>> find(SessionName, Timestamp) override { co_return std::nullopt; }
    Task<bool> lives(SessionKey, Timestamp) override { co_return true; }
    void touch(const SessionKey&, Timestamp) override {}
    Task<std::optional<Caller>> open(SessionName, Proven, Timestamp) override {
        CHECK(false, "nobody logs in here");
    }
    Task<Done> close(SessionKey) override { co_return Done{}; }
    Task<std::string> user_name(SessionKey, Timestamp) override { co_return ""; }
    Task<Done> close_all(UserId) override { co_return Done{}; }
    Task<Done> forget(std::vector<SessionKey>) override { co_return Done{}; }
    Task<Done> refresh(UserId) override { co_return Done{}; }

    const SessionTokens tokens{SessionTokens::MasterKey{4}};

  private:
    Caller caller(std::int64_t id) const {
        Caller caller;
        caller.id = UserId{id};
        caller.session = users_[static_cast<std::size_t>(id)].name.key;
        caller.role = caller.id == kOperator ? Role::admin : Role::buyer;
        return caller;
    }

    std::array<SessionTokens::Token, kLastUser + 1> users_;
};

/// No request here has a receipt.
class NoReceipts final : public ReceiptLedger {
    Task<Outcome<Created>> find(Receipt) override { co_return Created{}; }
    Task<std::size_t> prune(Timestamp, std::size_t) override { co_return 0; }
};

/// Nobody looks for networks here.
class NoNetworks final : public HoldNetworkLedger {
    Task<Done> note(std::vector<HoldNetwork>) override { co_return Done{}; }
    Task<std::size_t> prune(Timestamp, Timestamp, std::size_t) override { co_return 0; }
};

/// Nothing is delivered here.
class NoDeliveries final : public DeliveryLedger {
    Task<std::map<OrderId, OrderDelivery>> find(std::vector<OrderId>) override {
        co_return std::map<OrderId, OrderDelivery>{};
    }
    Task<Outcome<OrderDelivery>> change(OrderId, OrderDeliveryWish, Deed) override {
        co_return refuse(Reason::not_found);
    }
};

/// What does not change, and what is switched off: made once for all processes of all worlds.
struct Fittings {
    const Config config;
    const LimitScope no_limits{false};
    EndlessSessions sessions;
    NoReceipts receipts;
    NoNetworks networks;
    testing_support::ScriptedLists lists;  // no sale here is for listed buyers
    NoDeliveries deliveries;
    const gate::RatesInForce rates{config.limits.rates};
    gate::Speed speed{no_limits, rates, kHashKey};
    gate::GuessLimiter guesses{no_limits, kHashKey};
    const http::StaticFiles files{"/nonexistent"};
    const gate::BlockList blocks;
    Log log{Log::Level::error, Log::Format::text, [](std::string_view) {},
            [] { return Timestamp{}; }};
};

Fittings& fittings() {
    static Fittings fittings;
    return fittings;
}

}  // namespace

const std::string& token_of(UserId user) {
    return fittings().sessions.token_of(user);
}

Door::Door(const Parts& parts)
    : plant_(parts.plant),
      checkout_({.line = parts.line,
                 .catalog = parts.catalog,
                 .gate = parts.gate,
                 .orders = parts.orders,
                 .hold_networks = fittings().networks,
                 .buyer_lists = fittings().lists,
                 .phone_form = {},
                 .deliveries = fittings().deliveries,
                 .guesses = fittings().guesses,
                 .limit_scope = fittings().no_limits,
                 .rates = fittings().rates,
                 .exchange = nullptr,
                 .broker = nullptr,
                 .random = parts.random,
                 .clock = parts.clock},
                {.work_key = WorkChallenges::Key{5},
                 .challenges = {.draw_threads = 0},
                 .hash_key = kHashKey,
                 .absence_sets = kFewSets}),
      receipts_({}, parts.clock, fittings().receipts),
      window_(parts.catalog, parts.clock),
      admin_sales_(parts.line.editor, parts.catalog, parts.clock, receipts_),
      front_door_(fittings().config, api::kRoutes, fittings().speed, fittings().sessions.tokens,
                  fittings().sessions, fittings().files, fittings().blocks, parts.clock,
                  fittings().log) {
    front_door_.bind("show_sale", to(window_, &api::ShopWindow::show_sale));
    checkout_.bind([this](std::string_view route, http::Handler handler) {
        if (route == "buy")
            handler = remembering(http::Code::paused, Plant::pause_remembered, std::move(handler));
        front_door_.bind(route, std::move(handler));
    });
    front_door_.bind("edit_sale", to(admin_sales_, &api::AdminSales::edit));
    front_door_.bind("pause_sale", to(admin_sales_, &api::AdminSales::pause));
    front_door_.bind("resume_sale", to(admin_sales_, &api::AdminSales::resume));
    front_door_.bind("end_sale", to(admin_sales_, &api::AdminSales::end));
    front_door_.bind("restock_sale", to(admin_sales_, &api::AdminSales::restock));
}

http::Handler Door::remembering(http::Code code, Plant plant, http::Handler handler) {
    if (plant_ != plant) return handler;
    return [this, code, handler = std::move(handler)](http::Exchange& exchange) -> http::Pending {
        const auto name = exchange.caller->id.text() + std::string(exchange.request.path);
        if (remembered_.contains(name)) {
            http::write_retry_after(exchange.response, 1);
            exchange.refuse(code);
            return std::nullopt;
        }
        auto remember = [](std::set<std::string>& remembered, std::string what, http::Code which,
                           http::Exchange& answered, http::Pending work) -> Task<> {
            if (work) co_await std::move(*work);
            if (answered.response.problem == which) remembered.insert(std::move(what));
        };
        return remember(remembered_, name, code, exchange, handler(exchange));
    };
}

}  // namespace sluice::simulation
