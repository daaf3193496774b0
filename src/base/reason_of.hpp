#pragma once

#include <exception>
#include <string>

namespace sluice {

/// The text of an exception, for a line in the log.
std::string reason_of(const std::exception_ptr& failure);

}  // namespace sluice
