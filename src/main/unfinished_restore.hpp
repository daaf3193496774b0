#pragma once

#include <filesystem>

#include "main/data_folder.hpp"

namespace sluice {

// A restore that was killed after it was decided has left the old ledger in its place, perhaps
// beside the new archive. Whoever opens the ledger finishes the restore first. True when there was
// one. Throws DataError while the restore itself is still running, and sqlite::RestoreError when it
// cannot be finished: the message says what to do, and nothing is lost.

/// For a command, which works beside a server.
bool finish_restore(const std::filesystem::path& data);
/// For the server, which holds the lock.
bool finish_restore(const DataFolder& folder, const ServerLock& lock);

}  // namespace sluice
