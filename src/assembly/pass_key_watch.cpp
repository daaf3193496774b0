#include "assembly/pass_key_watch.hpp"

namespace sluice {

Task<> PassKeyWatch::look() {
    if (file_.has_changed()) read_ = file_.read();
    auto in_force = keys_in_force(read_, clock_.now());
    if (in_force.empty() || in_force == given_) co_return;
    given_ = in_force;
    const int signing = given_.back().id;
    const auto count = given_.size();
    ring_.exchange(std::move(in_force));
    log_.info("pass_keys.in_force", {{"signing", signing}, {"keys", count}});
}

}  // namespace sluice
