#include "workers/pruner.hpp"

#include "domain/holds.hpp"

namespace sluice {
namespace {

constexpr std::size_t kAtOnce = 500;
constexpr int kStepsPerRound = 200;

/// Looking for pictures that no item shows reads all items.
constexpr std::chrono::hours kPicturesEach{1};
constexpr std::size_t kPicturesAtOnce = 20;

/// A session's new end is written with a delay, so its row stays that long after the stored end.
constexpr std::chrono::minutes kSessionGrace{10};

/// `prune` removes a part and returns how much that was.
template <class Prune>
Task<> in_steps(Prune prune, std::size_t at_once = kAtOnce) {
    std::size_t removed = at_once;
    for (int step = 0; step < kStepsPerRound && removed == at_once; ++step)
        removed = co_await prune();
}

}  // namespace

Task<> Pruner::prune_once() {
    const auto now = clock_.now();
    co_await in_steps([&] { return sessions_.prune(now - kSessionGrace, kAtOnce); });
    co_await in_steps([&] { return receipts_.prune(now - kReceiptLife, kAtOnce); });
    const auto prune_points = [&](Resolution resolution) {
        return stats_.prune(resolution, now - life_of(resolution), kAtOnce);
    };
    co_await in_steps([&] { return prune_points(Resolution::second); });
    co_await in_steps([&] { return prune_points(Resolution::minute); });
    co_await in_steps([&] { return sandbox_.prune(now - keep_.sandbox, kAtOnce); });
    co_await in_steps(
        [&] { return webhooks_.prune(now - keep_.delivered, now - keep_.dead, kAtOnce); });
    co_await in_steps([&] { return orders_.prune_hot_changes(now - keep_.hot_changes, kAtOnce); });
    co_await in_steps([&] {
        return hold_networks_.prune(now - kNetworkKept, now - kNetworkKeptAfterSale, kAtOnce);
    });
    co_await in_steps([&] { return buyer_lists_.prune(now - keep_.buyer_lists, kAtOnce); });
    co_await prune_pictures(now);
}

Task<> Pruner::prune_pictures(Timestamp now) {
    if (pictures_looked_at_ && now < *pictures_looked_at_ + kPicturesEach) co_return;
    co_await in_steps([&] { return pictures_.prune(now, now - kPictureKept, kPicturesAtOnce); },
                      kPicturesAtOnce);
    pictures_looked_at_ = now;
}

}  // namespace sluice
