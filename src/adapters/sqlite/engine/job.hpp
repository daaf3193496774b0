#pragma once

#include "adapters/sql/job.hpp"
#include "adapters/sqlite/engine/connection.hpp"

namespace sluice::sqlite {

using Job = LedgerJob<Database>;
using Jobs = LedgerJobs<Database>;
using JobQueue = LedgerJobQueue<Database>;

}  // namespace sluice::sqlite
