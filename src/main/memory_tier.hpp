#pragma once

#include "adapters/memory/memory_session_store.hpp"
#include "adapters/memory/memory_stock_gate.hpp"
#include "app/sold_out_flags.hpp"
#include "assembly/foundation.hpp"
#include "assembly/hot_tier.hpp"

namespace sluice {

/// The hot tier of embedded mode: the memory of this process.
class MemoryTier final : public HotTier {
  public:
    MemoryTier(const Foundation& base, const Catalog& catalog)
        : flags_(catalog),
          gate_(&flags_),
          sessions_(base.ledgers.sessions(), terms_of(base.config.accounts)) {}

    StockGate& gate() override { return gate_; }
    SessionStore& sessions() override { return sessions_; }
    void forget_sessions() override { sessions_.forget_all(); }

    void employ(Keeper& keeper) override {
        keeper.employ("flag_healer", std::chrono::seconds{1},
                      [this] { return flags_.heal(gate_); });
        keeper.employ("session_writer", std::chrono::seconds{5},
                      [this] { return sessions_.write_extensions(); });
    }
    Task<> stop() override { return sessions_.write_extensions(); }

  private:
    static SessionTerms terms_of(const Config::Accounts& config) {
        return {.length = std::chrono::minutes{config.session_minutes},
                .longest = std::chrono::days{config.session_days},
                .operators_need_second_factor = config.second_factor == SecondFactorRule::required};
    }

    SoldOutFlags flags_;
    MemoryStockGate gate_;
    MemorySessionStore sessions_;
};

}  // namespace sluice
