#pragma once

#include "app/catalog/catalog_follower.hpp"
#include "assembly/binding.hpp"

namespace sluice {

/// Where several nodes share a ledger, the catalog of a node may be half a second behind changes
/// that operators made on another node. A change that is decided by an old catalog would be refused
/// without reason: a sale made a moment ago would be unknown, an edited one a conflict. So the
/// catalog is brought up to date before a change.
class LatestCatalog {
  public:
    explicit LatestCatalog(CatalogFollower& follower) : follower_(follower) {}

    /// Returns a Bind whose handlers are called when the catalog is up to date. They may throw
    /// Outage then.
    Bind before(Bind bind);

  private:
    Task<> catch_up_and_call(http::Exchange& exchange, const http::Handler& handler);

    CatalogFollower& follower_;
};

}  // namespace sluice
