#pragma once

#include <memory>

#include "assembly/binding.hpp"
#include "assembly/keeper.hpp"
#include "config/config.hpp"
#include "domain/limit_scope.hpp"
#include "gate/block_list.hpp"
#include "gate/count_exchange.hpp"
#include "gate/front_door.hpp"
#include "gate/guess_limiter.hpp"
#include "gate/rates.hpp"
#include "gate/speed.hpp"
#include "http/static_files.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/session_store.hpp"

namespace sluice {

/// Decides who may call the routes: blocks, rates and the front door.
class Gatehouse {
  public:
    struct Parts {
        const Config& config;
        SessionStore& sessions;
        const SessionTokens& tokens;
        const LimitScope& limit_scope;
        const std::array<unsigned char, 16>& limit_key;
        SharedCounts* counts;  // as HotTier has them
        const Clock& clock;
        Log& log;
    };
    explicit Gatehouse(const Parts& parts);

    /// With this the assemblies bind handlers to their routes.
    Bind binder() {
        return [this](std::string_view route, http::Handler handler) {
            front_door.bind(route, std::move(handler));
        };
    }

    void employ(Keeper& keeper);

    /// With what the rate limiters count together with other nodes; nullptr: this node counts
    /// alone.
    gate::CountExchange* exchange() const { return exchange_.get(); }

    /// Networks without limits by address, proxies, which stand for all their clients, and this
    /// machine unless a limit was configured.
    bool is_unbounded(const Address& address) const;
    /// Whether its connections are to end. Not those of proxies, behind whom everybody is; nor of
    /// 127.0.0.1 and ::1, from where an operator's tunnel comes, and a proxy that nobody has named.
    bool is_blocked(const Address& address) const;

  private:
    const std::unique_ptr<gate::CountExchange> exchange_;

  public:
    gate::BlockList block_list;
    gate::RatesInForce rates;
    gate::GuessLimiter guess_limiter;
    gate::Speed speed;
    const http::StaticFiles files;
    gate::FrontDoor front_door;

  private:
    const Config& config_;
    const LimitScope& limit_scope_;
    const Clock& clock_;
};

}  // namespace sluice
