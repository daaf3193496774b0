#include "app/accounts/local_code_box.hpp"

#include "base/outage.hpp"

namespace sluice {

Task<std::optional<std::string>> LocalCodeBox::read(std::string name) {
    const MutexLock lock(mutex_);
    const auto* text = texts_.find(name, clock_.now());
    if (!text) co_return std::nullopt;
    co_return *text;
}

Task<bool> LocalCodeBox::replace(std::string name, std::optional<std::string> seen,
                                 std::string text, Timestamp until) {
    const MutexLock lock(mutex_);
    const auto* present = texts_.find(name, clock_.now());
    if (!present && texts_.size() >= kMost) throw Overload("too many codes are out");
    if (present ? seen != *present : seen.has_value()) co_return false;
    texts_.put(name, std::move(text), until);
    co_return true;
}

std::size_t LocalCodeBox::size() const {
    const MutexLock lock(mutex_);
    return texts_.size();
}

}  // namespace sluice
