#pragma once

#include "app/catalog_follower.hpp"
#include "assembly/binding.hpp"

namespace sluice {

/// Where several nodes share a ledger, the catalog of this one is up to half a second behind what
/// operators have changed on another. A change judged by it would be refused without reason: a
/// sale made a moment ago would be unknown, an edited one a conflict. So a change first reads what
/// is new.
class LatestCatalog {
  public:
    explicit LatestCatalog(CatalogFollower& follower) : follower_(follower) {}

    /// Binds handlers which are called when the catalog is up to date. May throw Outage then.
    Bind before(Bind bind);

  private:
    Task<> catch_up_and_call(http::Exchange& exchange, const http::Handler& handler);

    CatalogFollower& follower_;
};

}  // namespace sluice
