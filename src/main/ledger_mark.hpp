#pragma once

#include <optional>
#include <string>

#include "base/task.hpp"
#include "base/worker_threads.hpp"
#include "main/data_folder.hpp"

namespace sluice {

/// How a start finds out that the disk lied. A log whose last frames are missing is a shorter log,
/// and nothing in the database says so. Therefore the newest order on record is noted in a file
/// beside the database about once a second. If at a start the database ends before it, then orders
/// are gone that buyers were told of, and their units would be sold a second time. A restore
/// removes the note, which says nothing about another ledger. docs/adr/0058.
class LedgerMark {
  public:
    explicit LedgerMark(const DataFolder& folder);

    /// What is missing, in a sentence, or nothing. Once found it is kept in a file of its own, and
    /// is found again at every start until somebody removes that file.
    std::optional<std::string> find_loss();

    /// Notes the newest order, on a thread of its own. Throws when the disk does not take it.
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
