#pragma once

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace sluice {

/// Waits until a file, or the names in a folder, are on disk. False when that is not certain: errno
/// has the reason.
inline bool flush_file(const std::filesystem::path& path) {
    const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return false;
    const bool flushed = ::fsync(opened) == 0;
    const int reason = errno;
    ::close(opened);
    errno = reason;
    return flushed;
}

}  // namespace sluice
