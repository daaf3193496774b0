#include "main/data_folder.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace sluice {

namespace fs = std::filesystem;

DataFolder::DataFolder(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    const bool made = fs::create_directories(path_, error);
    if (error)
        throw DataError("cannot use " + path_.string() + " as the data folder: " + error.message() +
                        ". Choose another with --data.");
    if (made) fs::permissions(path_, fs::perms::owner_all, error);
    if (::access(path_.c_str(), R_OK | W_OK | X_OK) != 0)
        throw DataError("cannot read and write in the data folder " + path_.string() + ": " +
                        std::strerror(errno));
    // SQLite would go on with a file that it can only read, make a log beside it that cannot be
    // written either, and keep both as they are until the process ends.
    if (fs::exists(database()) && ::access(database().c_str(), W_OK) != 0)
        throw DataError("cannot write " + database().string() + ": " + std::strerror(errno));
}

void expect_folder(const fs::path& data) {
    if (!fs::is_directory(data))
        throw DataError("there is no data folder " + data.string() + "; name it with --data");
}

void expect_database(const fs::path& data) {
    const auto database = data / "sluice.db";
    if (!fs::exists(database))
        throw DataError("there is no database at " + database.string() +
                        "; name its folder with --data");
}

ServerLock::ServerLock(const DataFolder& folder) {
    const auto file = folder.path() / "server.lock";
    fd_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd_ < 0) throw DataError("cannot open " + file.string() + ": " + std::strerror(errno));
    if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(fd_);
    throw DataError("another server is running on the data folder " + folder.path().string());
}

ServerLock::~ServerLock() {
    ::close(fd_);
}

}  // namespace sluice
