#include "simulation/pace.hpp"

namespace sluice::simulation {

Pace Pace::draw(Chance& chance) {
    const auto interval = chance.pick<std::uint32_t>({100'000, 1'000'000, 3'000'000, 7'000'001});
    return Pace({.interval = interval, .burst = static_cast<std::uint32_t>(chance.between(3, 12))});
}

std::optional<std::string> Pace::note_let_in(UserId buyer, Timestamp at) {
    come_again_.erase(buyer);
    auto& times = let_in_[buyer];
    times.push_back(at);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::chrono::microseconds span = at - times[i];
        const auto most = quota_.burst + static_cast<std::uint64_t>(span.count()) / quota_.interval;
        if (times.size() - i > most)
            return "buyer " + buyer.text() + " was let in " + std::to_string(times.size() - i) +
                   " times where the limit allows " + std::to_string(most);
    }
    return std::nullopt;
}

std::optional<std::string> Pace::note_told_to_wait(UserId buyer, Timestamp at,
                                                   std::chrono::microseconds wait) {
    const auto told = come_again_.find(buyer);
    if (told != come_again_.end() && at >= told->second)
        return "buyer " + buyer.text() + " waited as told, and is told to wait again";
    come_again_[buyer] = at + std::chrono::ceil<std::chrono::milliseconds>(wait);
    return std::nullopt;
}

}  // namespace sluice::simulation
