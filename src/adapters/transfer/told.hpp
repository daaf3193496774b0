#pragma once

#include <functional>
#include <string_view>

#include "adapters/transfer/copier.hpp"

namespace sluice::transfer {

/// Callbacks that report the progress.
struct Told {
    std::function<void(std::string_view step)> step;  // called with each step before it is done
    Progress rows;
};

}  // namespace sluice::transfer
