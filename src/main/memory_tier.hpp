#pragma once

#include "adapters/memory/memory_nodes.hpp"
#include "adapters/memory/memory_stock_gate.hpp"
#include "app/accounts/local_code_box.hpp"
#include "app/catalog/sold_out_flags.hpp"
#include "app/passes/local_entry_desk.hpp"
#include "assembly/hot_tier.hpp"
#include "main/session_terms.hpp"
#include "ports/ledgers.hpp"

namespace sluice {

/// The hot tier of embedded mode: the memory of this process.
class MemoryTier final : public HotTier {
  public:
    MemoryTier(const Config& config, Ledgers& ledgers, const Catalog& catalog, const Passes& passes,
               std::int64_t node, Random& random, const Clock& clock)
        : flags_(catalog),
          gate_(&flags_),
          sessions_(ledgers.sessions(), terms_of(config.accounts)),
          entry_(passes, random, clock),
          codes_(clock),
          nodes_(node, clock),
          // Somebody at the command line may have ended a session or changed a role.
          outside_changes_(ledgers.on_external_change([this] { sessions_.forget_all(); })) {}

    StockGate& gate() override { return gate_; }
    SessionStore& sessions() override { return sessions_; }
    EntryDesk& entry() override { return entry_; }
    CodeBox& codes() override { return codes_; }
    SharedCounts* counts() override { return nullptr; }
    BuyerSignals* signals() override { return nullptr; }
    NodeDirectory& nodes() override { return nodes_; }
    bool ends_with_process() const override { return true; }
    bool is_on_duty() const override { return true; }
    bool is_first_edge() const override { return true; }

    void employ(Keeper& keeper) override {
        keeper.employ("flag_healer", std::chrono::seconds{1},
                      [this] { return flags_.heal(gate_); });
        keeper.employ("session_writer", std::chrono::seconds{5},
                      [this] { return sessions_.write_extensions(); });
    }
    void add_metrics(MetricsPage&) const override {}
    std::vector<api::PartHealth> health() const override { return {}; }
    void leave(AsioLoop&) override {}
    Task<> stop() override { return sessions_.write_extensions(); }

  private:
    SoldOutFlags flags_;
    MemoryStockGate gate_;
    MemorySessionStore sessions_;
    LocalEntryDesk entry_;
    LocalCodeBox codes_;
    MemoryNodes nodes_;
    Subscription outside_changes_;
};

}  // namespace sluice
