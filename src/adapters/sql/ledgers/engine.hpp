#pragma once

#include "adapters/sql/database.hpp"
#include "adapters/sql/news.hpp"
#include "adapters/sql/queues.hpp"

namespace sluice::ledgers {

// What the ledgers need of an engine. They are written once, for all engines; where a dialect
// differs, the engine prepares another text for a statement (docs/adr/0087).
using sql::Database;
using sql::News;
using sql::Readers;
using sql::Repeated;
using sql::Writer;

}  // namespace sluice::ledgers
