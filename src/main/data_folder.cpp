#include "main/data_folder.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

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
    // SQLite would accept a file that it can only read, make a log beside it that cannot be written
    // either, and keep both in that state until the process ends. Such logs are left behind when a
    // process that ran as root was killed.
    for (const auto* suffix : {"", "-wal", "-shm"}) {
        const fs::path file = database().string() + suffix;
        if (fs::exists(file) && ::access(file.c_str(), W_OK) != 0)
            throw DataError("cannot write " + file.string() + ": " + std::strerror(errno));
    }
}

void expect_folder(const fs::path& data) {
    if (!fs::is_directory(data))
        throw DataError("there is no data folder " + data.string() + "; name it with --data");
}

bool has_database(const fs::path& data) {
    return fs::exists(data / "sluice.db");
}

void expect_database(const fs::path& data) {
    if (!has_database(data))
        throw DataError("there is no database at " + (data / "sluice.db").string() +
                        "; name its folder with --data");
}

namespace {

/// A command holds the lock for one checkpoint at most.
constexpr auto kPatience = std::chrono::seconds{2};

int open_lock(const DataFolder& folder) {
    const auto file = folder.path() / "server.lock";
    const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) throw DataError("cannot open " + file.string() + ": " + std::strerror(errno));
    return fd;
}

}  // namespace

ServerLock::ServerLock(const DataFolder& folder) : ServerLock() {
    fd_ = open_lock(folder);
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!take()) {
        if (std::chrono::steady_clock::now() >= deadline)
            throw DataError("another server is running on the data folder " +
                            folder.path().string());
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
}

ServerLock::~ServerLock() {
    if (fd_ >= 0) ::close(fd_);
}

std::unique_ptr<ServerLock> ServerLock::try_take(const DataFolder& folder) {
    std::unique_ptr<ServerLock> lock(new ServerLock);
    lock->fd_ = open_lock(folder);
    if (!lock->take()) return nullptr;
    return lock;
}

bool ServerLock::take() {
    return ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace sluice
