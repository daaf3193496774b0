#pragma once

#include "http/exchange.hpp"
#include "ports/trail_ledger.hpp"

namespace sluice::api {

class AdminTrail {
  public:
    explicit AdminTrail(TrailLedger& ledger) : ledger_(ledger) {}

    http::Pending list(http::Exchange& exchange);

  private:
    Task<> show(http::Exchange& exchange, TrailLedger::Wanted wanted, std::size_t limit);

    TrailLedger& ledger_;
};

}  // namespace sluice::api
