#pragma once

#include <functional>
#include <set>

#include "ports/clock.hpp"
#include "workers/hot_copy_verdict.hpp"

namespace sluice {

/// Compares hot copies with the ledger while they sell, from outside of the servers, and changes
/// nothing. The keeper of the hot copies does the same from inside, for copies at rest.
class HotCopyAudit {
  public:
    /// Reads a sale's copy; nullopt when it is closed.
    using ReadClaims = std::function<Task<std::optional<OpenClaims>>(SaleId)>;

    HotCopyAudit(StockGate& gate, ReadClaims read_claims, OrderLedger& ledger)
        : gate_(gate), read_claims_(std::move(read_claims)), ledger_(ledger) {}

    /// Compares these sales, which need a copy, and all others that have one. May throw Outage.
    Task<std::vector<HotCopyVerdict>> look_at_all(std::set<SaleId> live);
    /// Compares one sale that needs a copy.
    Task<HotCopyVerdict> look(SaleId sale);

  private:
    /// How often to try until both sides are unchanged while they are read.
    static constexpr int kTries = 5;
    static constexpr std::size_t kAtOnce = 1'000;

    Task<std::optional<HotCopyVerdict>> compare_at_rest(SaleId sale);
    Task<HotCopyVerdict> compare_in_motion(SaleId sale);
    Task<std::vector<HotChange>> rows_after(SaleId sale, std::int64_t seq);
    Task<std::vector<Ticket>> not_committed(std::vector<Ticket> claims);

    StockGate& gate_;
    const ReadClaims read_claims_;
    OrderLedger& ledger_;
};

}  // namespace sluice
