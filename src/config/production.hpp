#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"

namespace sluice {

/// A setting that is fine for trials and must not stay so when customers use the server.
struct Finding {
    std::string key;
    std::string reason;    // what can happen
    std::string line;      // what to write instead, as the file wants it
    std::string place;     // where the key is given now; empty when it has its default
    bool is_note = false;  // worth a look, but some shops mean it so
};

/// Nothing but notes when a server may meet customers with this configuration. `is_root`: the
/// program is started by root, so perhaps the server will be too.
std::vector<Finding> find_unfit_for_customers(const Loaded& loaded, bool is_root = false);

}  // namespace sluice
