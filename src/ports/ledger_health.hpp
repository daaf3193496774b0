#pragma once

#include <string>

namespace sluice {

/// Whether the last attempt to write reached the disk, and the reason if it did not.
struct LedgerHealth {
    bool ok = true;
    std::string detail;
};

}  // namespace sluice
