#pragma once

#include <string>
#include <vector>

#include "config/load.hpp"

namespace sluice {

/// A setting that is fine for trials and must not stay so when customers use the server.
struct Finding {
    std::string key;
    std::string reason;  // what can happen
    std::string line;    // what to write instead, in the syntax of the file
    std::string place;   // where the key is given now; empty when it has its default
};

/// Empty when customers may use a server with this configuration.
std::vector<Finding> find_unfit_for_customers(const Loaded& loaded);

}  // namespace sluice
