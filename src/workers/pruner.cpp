#include "workers/pruner.hpp"

namespace sluice {
namespace {

constexpr std::size_t kBite = 500;
constexpr int kBitesPerRound = 200;

/// That a session slid on is written down a while later: its row stays until that is certain.
constexpr std::chrono::minutes kSessionGrace{10};

}  // namespace

Task<> Pruner::prune_once() {
    const auto now = clock_.now();
    std::size_t removed = kBite;
    for (int bite = 0; bite < kBitesPerRound && removed == kBite; ++bite)
        removed = co_await sessions_.prune(now - kSessionGrace, kBite);
    removed = kBite;
    for (int bite = 0; bite < kBitesPerRound && removed == kBite; ++bite)
        removed = co_await receipts_.prune(now - kReceiptLife, kBite);
    co_await prune_points(Resolution::second, now);
    co_await prune_points(Resolution::minute, now);
    removed = kBite;
    for (int bite = 0; bite < kBitesPerRound && removed == kBite; ++bite)
        removed = co_await sandbox_.prune(now - keep_.sandbox, kBite);
    removed = kBite;
    for (int bite = 0; bite < kBitesPerRound && removed == kBite; ++bite)
        removed = co_await webhooks_.prune(now - keep_.delivered, now - keep_.dead, kBite);
}

Task<> Pruner::prune_points(Resolution resolution, Timestamp now) {
    std::size_t removed = kBite;
    for (int bite = 0; bite < kBitesPerRound && removed == kBite; ++bite)
        removed = co_await stats_.prune(resolution, now - life_of(resolution), kBite);
}

}  // namespace sluice
