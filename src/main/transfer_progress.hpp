#pragma once

#include "adapters/transfer/told.hpp"

namespace sluice {

/// Writes steps and counts to standard error, as commands that take long do.
transfer::Told report_on_stderr();

}  // namespace sluice
