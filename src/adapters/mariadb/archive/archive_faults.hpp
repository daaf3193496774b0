#pragma once

#include <optional>
#include <vector>

#include "adapters/mariadb/engine/connection.hpp"
#include "domain/ids.hpp"
#include "domain/notice.hpp"

namespace sluice::mariadb {

/// Finds what is wrong with the archived sales, of one or of all: rows that are missing or were
/// changed since they were moved.
std::vector<Notice> find_archive_faults(Connection& connection, std::optional<SaleId> sale);

}  // namespace sluice::mariadb
