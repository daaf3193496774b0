#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace sluice::rabbitmq {

struct Acknowledgement {
    std::uint64_t tag = 0;
    bool is_multiple = false;  // of all up to this one

    friend bool operator==(const Acknowledgement&, const Acknowledgement&) = default;
};

/// The smallest set of acknowledgements that covers `done` and nothing else of `open`, from which
/// `done` is removed. Tags that are not open are ignored.
inline std::vector<Acknowledgement> acknowledge_all(std::set<std::uint64_t>& open,
                                                    const std::set<std::uint64_t>& done) {
    std::vector<Acknowledgement> said;
    auto at = open.begin();
    for (; at != open.end() && done.contains(*at); at = open.erase(at)) said = {{*at, true}};
    while (at != open.end()) {
        if (done.contains(*at)) {
            said.push_back({*at, false});
            at = open.erase(at);
        } else {
            ++at;
        }
    }
    return said;
}

}  // namespace sluice::rabbitmq
