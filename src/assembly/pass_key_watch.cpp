#include "assembly/pass_key_watch.hpp"

#include <algorithm>

namespace sluice {

std::vector<PassKey> with_signing_last(std::vector<PassKey> keys, Timestamp now) {
    std::ranges::stable_partition(keys, [now](const PassKey& key) { return key.made_at > now; });
    return keys;
}

Task<> PassKeyWatch::look() {
    if (file_.has_changed()) read_ = file_.read();
    const auto now = clock_.now();
    auto in_force = with_signing_last(keys_in_force(read_, now), now);
    if (in_force.empty() || in_force == given_) co_return;
    given_ = in_force;
    const int signing = given_.back().id;
    const auto count = given_.size();
    ring_.exchange(std::move(in_force));
    log_.info("pass_keys.in_force", {{"signing", signing}, {"keys", count}});
}

}  // namespace sluice
