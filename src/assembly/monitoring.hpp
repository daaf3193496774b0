#pragma once

#include "adapters/system/shop_clock.hpp"
#include "api/office/machine_room.hpp"
#include "assembly/binding.hpp"
#include "assembly/broker_tier.hpp"
#include "assembly/clock_watch.hpp"
#include "assembly/hot_tier.hpp"
#include "assembly/http_front.hpp"
#include "assembly/keeper.hpp"
#include "assembly/ledger_tier.hpp"
#include "assembly/purchase_line.hpp"
#include "assembly/shop_stakes.hpp"
#include "config/config.hpp"
#include "gate/insiders.hpp"
#include "observe/log.hpp"
#include "observe/process_metrics.hpp"
#include "ports/session_store.hpp"

namespace sluice {

/// What the server reports about itself: metrics, readiness, its clock, its API.
class Monitoring {
  public:
    struct Parts {
        const Config& config;
        const LedgerTier& ledger;
        const HotTier& hot;
        const BrokerTier* broker;  // nullptr: there is none
        ShopStakes::Ledgers ledgers;
        const http::Server& server;
        const PurchaseLine& line;
        const Catalog& catalog;
        SessionStore& sessions;
        const SessionTokens& tokens;
        std::string provider;  // of payments; empty if there is none
        bool has_found_holds = false;
        ShopClock& clock;
        Log& log;
    };
    explicit Monitoring(const Parts& parts);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);

    /// The state of each part that this server depends on. From any thread.
    std::vector<api::PartHealth> check_up() const;

    MetricsPage metrics;

  private:
    const LedgerTier& ledger_;
    const HotTier& hot_;
    const BrokerTier* const broker_;
    const http::Server& server_;
    const HotCopyKeeper& hot_copies_;
    const bool takes_payments_;
    ProcessMetrics process_metrics_;
    ShopStakes stakes_;
    ClockWatch clock_watch_;
    const gate::Insiders insiders_;
    api::MachineRoom api_;
};

}  // namespace sluice
