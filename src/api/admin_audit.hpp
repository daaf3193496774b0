#pragma once

#include "app/catalog.hpp"
#include "http/exchange.hpp"
#include "ports/auditor.hpp"

namespace sluice::api {

/// `sluice audit` for one sale, over HTTP.
class AdminAudit {
  public:
    AdminAudit(Auditor& auditor, const Catalog& catalog) : auditor_(auditor), catalog_(catalog) {}

    http::Pending audit(http::Exchange& exchange);

  private:
    Task<> show(http::Exchange& exchange, SaleId sale);

    Auditor& auditor_;
    const Catalog& catalog_;
};

}  // namespace sluice::api
