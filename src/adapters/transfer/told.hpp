#pragma once

#include <functional>
#include <string_view>

#include "adapters/transfer/copier.hpp"

namespace sluice::transfer {

/// Who is told how far it is.
struct Told {
    std::function<void(std::string_view step)> step;  // before it is done
    Progress rows;
};

}  // namespace sluice::transfer
