#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>

namespace sluice {

class DataError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Where an embedded server keeps everything. Made (mode 0700) when absent; throws DataError when
/// it cannot be used.
class DataFolder {
  public:
    explicit DataFolder(std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path database() const { return path_ / "sluice.db"; }
    std::filesystem::path clock_note() const { return path_ / "shop.clock"; }

  private:
    const std::filesystem::path path_;
};

bool has_database(const std::filesystem::path& data);

// For commands that need existing data: they throw DataError when there is no such folder, or no
// database in it.
void expect_folder(const std::filesystem::path& data);
void expect_database(const std::filesystem::path& data);

/// Held by the only server of a data folder; the kernel releases it however the server ends.
class ServerLock {
  public:
    /// Waits a moment for a command that checkpoints; throws DataError when another server holds
    /// it.
    explicit ServerLock(const DataFolder& folder);
    ~ServerLock();
    ServerLock(const ServerLock&) = delete;
    ServerLock& operator=(const ServerLock&) = delete;

    /// Does not wait. For a command that does something that otherwise only a server may do; null
    /// when a server runs.
    static std::unique_ptr<ServerLock> try_take(const DataFolder& folder);

  private:
    ServerLock() = default;
    bool take();

    int fd_ = -1;
};

}  // namespace sluice
