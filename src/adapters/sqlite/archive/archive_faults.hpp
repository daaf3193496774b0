#pragma once

#include <optional>
#include <vector>

#include "adapters/sqlite/engine/connection.hpp"
#include "domain/notice.hpp"

namespace sluice::sqlite {

/// Finds what is wrong with the archived sales, of one or of all: rows that are missing or were
/// changed since they were moved.
std::vector<Notice> find_archive_faults(Database& ledger, Database* archive,
                                        std::optional<SaleId> sale);

}  // namespace sluice::sqlite
