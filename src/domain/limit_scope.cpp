#include "domain/limit_scope.hpp"

#include <algorithm>

namespace sluice {

LimitScope::LimitScope(bool enabled, std::vector<Network> exempt) {
    replace(enabled, std::move(exempt));
}

bool LimitScope::exempts(const Address& address) const {
    return std::ranges::any_of(exempt(),
                               [&](const Network& network) { return network.contains(address); });
}

void LimitScope::replace(bool enabled, std::vector<Network> exempt) {
    const MutexLock lock(replacing_);
    enabled_ = enabled;
    if (!lists_.empty() && *lists_.back() == exempt) return;
    lists_.push_back(std::make_unique<const std::vector<Network>>(std::move(exempt)));
    exempt_.store(lists_.back().get(), std::memory_order_release);
}

}  // namespace sluice
