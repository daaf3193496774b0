#include "workers/pruner.hpp"

#include "domain/holds.hpp"

namespace sluice {
namespace {

constexpr std::size_t kBite = 500;
constexpr int kBitesPerRound = 200;

/// A session's new end is written with a delay, so its row stays that long after the stored end.
constexpr std::chrono::minutes kSessionGrace{10};

/// `prune` removes a part and returns how much that was.
template <class Prune>
Task<> in_bites(Prune prune) {
    std::size_t removed = kBite;
    for (int bite = 0; bite < kBitesPerRound && removed == kBite; ++bite)
        removed = co_await prune();
}

}  // namespace

Task<> Pruner::prune_once() {
    const auto now = clock_.now();
    co_await in_bites([&] { return sessions_.prune(now - kSessionGrace, kBite); });
    co_await in_bites([&] { return receipts_.prune(now - kReceiptLife, kBite); });
    const auto prune_points = [&](Resolution resolution) {
        return stats_.prune(resolution, now - life_of(resolution), kBite);
    };
    co_await in_bites([&] { return prune_points(Resolution::second); });
    co_await in_bites([&] { return prune_points(Resolution::minute); });
    co_await in_bites([&] { return sandbox_.prune(now - keep_.sandbox, kBite); });
    co_await in_bites(
        [&] { return webhooks_.prune(now - keep_.delivered, now - keep_.dead, kBite); });
    co_await in_bites([&] { return orders_.prune_hot_changes(now - keep_.hot_changes, kBite); });
    co_await in_bites([&] {
        return hold_networks_.prune(now - kNetworkKept, now - kNetworkKeptAfterSale, kBite);
    });
}

}  // namespace sluice
