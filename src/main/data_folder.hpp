#pragma once

#include <filesystem>
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

  private:
    const std::filesystem::path path_;
};

// For commands that work on what is there: they throw DataError when there is no such folder, or no
// database in it.
void expect_folder(const std::filesystem::path& data);
void expect_database(const std::filesystem::path& data);

/// Held by the one server of a data folder, and let go by the kernel however it ends. Throws
/// DataError when another server holds it.
class ServerLock {
  public:
    explicit ServerLock(const DataFolder& folder);
    ~ServerLock();
    ServerLock(const ServerLock&) = delete;
    ServerLock& operator=(const ServerLock&) = delete;

  private:
    int fd_;
};

}  // namespace sluice
