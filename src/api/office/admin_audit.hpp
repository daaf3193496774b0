#pragma once

#include <functional>

#include "app/catalog/catalog.hpp"
#include "domain/hot_copy.hpp"
#include "http/exchange.hpp"
#include "ports/auditor.hpp"

namespace sluice::api {

/// `sluice audit` for one sale, over HTTP. It adds what only the server can know: whether the hot
/// copy of the sale agrees with the ledger.
class AdminAudit {
  public:
    using HotCopies = std::function<HotCopyFinding(SaleId)>;

    AdminAudit(Auditor& auditor, const Catalog& catalog, HotCopies hot_copies)
        : auditor_(auditor), catalog_(catalog), hot_copies_(std::move(hot_copies)) {}

    http::Pending audit(http::Exchange& exchange);

  private:
    Task<> show(http::Exchange& exchange, SaleId sale);

    Auditor& auditor_;
    const Catalog& catalog_;
    const HotCopies hot_copies_;
};

}  // namespace sluice::api
