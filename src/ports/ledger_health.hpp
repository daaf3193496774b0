#pragma once

#include <string>

namespace sluice {

/// Whether the last attempt to write reached the disk, and if not, why.
struct LedgerHealth {
    bool ok = true;
    std::string detail;
};

}  // namespace sluice
