#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "base/task.hpp"
#include "ports/clock.hpp"
#include "ports/picture_ledger.hpp"

namespace sluice {

/// Uploaded pictures as shoppers get them: those that were asked for last are in memory, up to a
/// bounded number of bytes, and only others are read from the ledger. Everybody who asks for one
/// meanwhile waits for the same read. Safe from any thread.
class PictureShelf {
  public:
    static constexpr std::size_t kMostBytes = 64u << 20;
    /// A flood of invented addresses must not become a flood of reads.
    static constexpr int kMostReadsInSecond = 1'000;
    /// Then one is read again, so that a removal at another node is noticed.
    static constexpr std::chrono::minutes kLife{10};

    PictureShelf(PictureLedger& ledger, const Clock& clock, std::size_t most_bytes = kMostBytes)
        : ledger_(ledger), clock_(clock), most_bytes_(most_bytes) {}

    using Jpeg = std::shared_ptr<const std::string>;

    /// Without waiting: nullptr when it is not in memory.
    Jpeg peek(const PictureName& name) EXCLUDES(mutex_);
    /// nullptr when there is none. Throws Outage or Overload.
    Task<Jpeg> find(PictureName name);

    /// All sizes.
    void forget(const PictureHash& hash) EXCLUDES(mutex_);

    std::size_t bytes() const EXCLUDES(mutex_);

  private:
    struct Kept {
        PictureName name;
        Jpeg jpeg;
        Timestamp read_at;
    };
    using Places = std::list<Kept>;  // the one asked for last at the front
    /// nullopt: look again.
    using Answer = std::optional<Jpeg>;

    /// Whether the caller is to read it; otherwise somebody does. Throws Overload.
    bool begin_reading(const PictureName& name) EXCLUDES(mutex_);
    Task<Answer> wait_for(PictureName name);
    void end_reading(const PictureName& name, const Jpeg& jpeg, const std::exception_ptr& failure)
        EXCLUDES(mutex_);
    void keep(const PictureName& name, const Jpeg& jpeg) REQUIRES(mutex_);
    void drop(Places::iterator place) REQUIRES(mutex_);

    PictureLedger& ledger_;
    const Clock& clock_;
    const std::size_t most_bytes_;
    mutable Mutex mutex_;
    Places places_ GUARDED_BY(mutex_);
    std::map<PictureName, Places::iterator> by_name_ GUARDED_BY(mutex_);
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;
    std::map<PictureName, std::vector<Completion<Answer>>> read_ GUARDED_BY(mutex_);
    Timestamp second_ GUARDED_BY(mutex_);  // in which reads are counted
    int reads_ GUARDED_BY(mutex_) = 0;
};

}  // namespace sluice
