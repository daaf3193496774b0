#pragma once

#include <string>

#include "base/id_source.hpp"
#include "domain/deed.hpp"

namespace sluice {

/// The operator behind a change, as the audit trail remembers them.
struct Actor {
    UserId id;
    std::string address;
    std::string request_id;
};

inline Deed make_deed(const Actor& actor, DeedId id, Timestamp now, std::string action,
                      std::string subject, std::string before, std::string after) {
    return {.id = id,
            .at = now,
            .actor = actor.id,
            .address = actor.address,
            .request_id = actor.request_id,
            .action = std::move(action),
            .subject = std::move(subject),
            .before = std::move(before),
            .after = std::move(after)};
}

}  // namespace sluice
