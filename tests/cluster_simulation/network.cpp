#include "cluster_simulation/network.hpp"

#include <algorithm>

namespace sluice::cluster_simulation {

void Life::forget(const Pending* call) {
    const auto at = std::ranges::find(pending, call, &std::shared_ptr<Pending>::get);
    if (at == pending.end()) return;
    std::swap(*at, pending.back());
    pending.pop_back();
}

void Network::park(std::shared_ptr<Life> life, std::move_only_function<void()> deed) {
    parked_.push_back({std::move(life), std::move(deed)});
}

bool Network::step() {
    constexpr int kLooks = 8;  // tries to pick work of frozen processes, at most
    for (int looks = 0; looks < kLooks && !parked_.empty(); ++looks) {
        auto& picked = parked_[chance_.index(parked_.size())];
        if (picked.life && picked.life->is_alive && picked.life->is_frozen) continue;
        std::swap(picked, parked_.back());
        auto [life, deed] = std::move(parked_.back());
        parked_.pop_back();
        if (life && !life->is_alive) continue;
        deed();
        loop_.poll();
        return true;
    }
    return false;
}

std::exception_ptr Network::no_answer() {
    static const auto failure =
        std::make_exception_ptr(UnknownOutcome("the simulated service gave no answer in time"));
    return failure;
}

}  // namespace sluice::cluster_simulation
