#include "app/purchase/cluster_backlog.hpp"

#include <algorithm>
#include <utility>

namespace sluice {

Task<std::optional<IntakeReport>> ClusterBacklog::look(Instant now) {
    // Read first: a ticket that is handed in while we ask may count twice until the next look, but
    // none is missed.
    const auto own = own_.load(std::memory_order_relaxed);
    const auto all = co_await gate_.under_way();
    others_.store(all.claims - static_cast<std::int64_t>(own), std::memory_order_relaxed);
    oldest_.store(all.oldest_handed_off ? to_millis(*all.oldest_handed_off) : 0,
                  std::memory_order_relaxed);
    const auto before = std::exchange(seen_, Seen{.all = all, .at = now});
    // A copy was forgotten or lost, and its counts with it.
    if (!before || all.decided < before->all.decided) co_return std::nullopt;
    co_return IntakeReport{
        .taken = static_cast<std::size_t>(all.decided - before->all.decided),
        .took = now - before->at,
        .backlog = static_cast<std::size_t>(std::max<std::int64_t>(0, before->all.claims))};
}

std::size_t ClusterBacklog::count() const noexcept {
    const auto own = static_cast<std::int64_t>(own_.load(std::memory_order_relaxed));
    return static_cast<std::size_t>(
        std::max<std::int64_t>(0, others_.load(std::memory_order_relaxed) + own));
}

std::optional<Timestamp> ClusterBacklog::oldest() const noexcept {
    const auto millis = oldest_.load(std::memory_order_relaxed);
    if (millis == 0) return std::nullopt;
    return from_millis(millis);
}

}  // namespace sluice
