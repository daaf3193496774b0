#pragma once

#include "adapters/sql/ledgers/engine.hpp"
#include "ports/hold_network_ledger.hpp"

namespace sluice::ledgers {

class HoldNetworks final : public HoldNetworkLedger {
  public:
    explicit HoldNetworks(Writer& writer) : writer_(writer) {}

    Task<Done> note(std::vector<HoldNetwork> networks) override;
    Task<std::size_t> prune(Timestamp noted_before, Timestamp over_before,
                            std::size_t limit) override;

  private:
    Writer& writer_;
};

}  // namespace sluice::ledgers
