#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "domain/deed.hpp"

namespace sluice::testing_support {

/// A deed of the command line at that time, with the time as its id.
inline Deed deed_at(std::int64_t millis, std::string action) {
    return {.id = DeedId{millis},
            .at = from_millis(millis),
            .actor = std::nullopt,
            .os_user = "root",
            .address = "",
            .request_id = "",
            .action = std::move(action),
            .subject = "1",
            .before = "",
            .after = ""};
}

}  // namespace sluice::testing_support
