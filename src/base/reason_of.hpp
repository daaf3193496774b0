#pragma once

#include <exception>
#include <string>

namespace sluice {

/// What an exception says of itself, for a line in the log.
std::string reason_of(const std::exception_ptr& failure);

}  // namespace sluice
