#pragma once

#include <filesystem>
#include <stop_token>

#include "adapters/sqlite/engine/writer.hpp"
#include "domain/ids.hpp"

namespace sluice::sqlite {

/// Brings an archived sale back, as ledgers::ArchiveReturns asks for it: in steps of the writer,
/// with purchases between them. The calling thread, which is not the writer's, makes the plan.
void return_by_writer(Writer& writer, const std::filesystem::path& ledger, SaleId sale,
                      const std::stop_token& stop);

}  // namespace sluice::sqlite
