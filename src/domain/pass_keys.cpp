#include "domain/pass_keys.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace sluice {

std::vector<PassKey> keys_in_force(std::vector<PassKey> keys, Timestamp now) {
    // The time of a key begins to run out when the next key is made.
    std::size_t over = 0;
    while (over + 1 < keys.size() && keys[over + 1].made_at + kPassKeyRetention <= now) ++over;
    keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(over));
    return keys;
}

PassKeyRing::PassKeyRing(std::vector<PassKey> keys) {
    exchange(std::move(keys));
}

void PassKeyRing::exchange(std::vector<PassKey> keys) {
    CHECK(!keys.empty(), "some key signs");
    auto fresh = std::make_unique<const std::vector<PassKey>>(std::move(keys));
    const MutexLock lock(mutex_);
    all_.push_back(std::move(fresh));
    present_.store(all_.back().get(), std::memory_order_release);
}

const PassKey* PassKeyRing::find(std::uint16_t id) const {
    const auto& present = keys();
    const auto at = std::ranges::find(present, id, &PassKey::id);
    return at == present.end() ? nullptr : &*at;
}

}  // namespace sluice
