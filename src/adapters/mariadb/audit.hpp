#pragma once

#include <optional>

#include "adapters/mariadb/engine/connection.hpp"
#include "base/timestamp.hpp"
#include "ports/auditor.hpp"

namespace sluice::mariadb {

/// Checks the promises on a connection of its own, at one instant. Throws SchemaError or Outage.
Outcome<AuditReport> audit(const ServerAddress& address, std::optional<SaleId> sale, Timestamp now);

}  // namespace sluice::mariadb
