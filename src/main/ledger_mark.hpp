#pragma once

#include <optional>
#include <string>

#include "base/task.hpp"
#include "base/worker_threads.hpp"
#include "main/data_folder.hpp"

namespace sluice {

/// Finds out at the start whether the disk has lost data that it had reported as written. A log
/// whose last frames are missing is just a shorter log, and nothing in the database shows it.
/// Therefore the newest order on record is noted in a file beside the database about once a second.
/// If the database ends before that order at a start, orders are missing that buyers were told of,
/// and their units would be sold a second time. A restore removes the note, which is not valid for
/// another ledger. docs/adr/0058.
class LedgerMark {
  public:
    explicit LedgerMark(const DataFolder& folder);

    /// A sentence about what is missing, or nothing. Once found it is kept in a file of its own,
    /// and reported at every start until somebody removes that file.
    std::optional<std::string> find_loss();

    /// Notes the newest order, on a thread of its own. Throws when the disk does not accept it.
    Task<> note();

  private:
    Task<Done> note_on_thread();
    void note_newest();

    const std::filesystem::path database_;
    const std::filesystem::path mark_;
    const std::filesystem::path loss_;
    std::int64_t noted_ = 0;
    WorkerThreads thread_;  // last: its jobs end before what they use
};

}  // namespace sluice
