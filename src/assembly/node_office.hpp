#pragma once

#include "api/office/admin_nodes.hpp"
#include "assembly/binding.hpp"
#include "assembly/hot_tier.hpp"
#include "assembly/http_front.hpp"
#include "assembly/keeper.hpp"
#include "config/config.hpp"
#include "ports/clock.hpp"
#include "workers/hot_copy_keeper.hpp"

namespace sluice {

/// Tells the other servers about this one, and operators about all of them.
class NodeOffice {
  public:
    NodeOffice(HotTier& hot, const HttpFront& front, const HotCopyKeeper& hot_copies,
               const Roles& roles, const Clock& clock);

    void bind(const Bind& bind);
    void employ(Keeper& keeper);

  private:
    Task<> give_sign();
    double requests_per_second();

    HotTier& hot_;
    const HttpFront& front_;
    const HotCopyKeeper& hot_copies_;
    const std::vector<std::string> roles_;
    const Timestamp started_at_;
    // Used by the signs only: how many requests there had been at the last sign.
    double requests_ = 0;
    std::chrono::steady_clock::time_point counted_at_ = std::chrono::steady_clock::now();
    api::AdminNodes api_;
};

}  // namespace sluice
