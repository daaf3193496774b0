#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sluice {

class KeyError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A file descriptor that closes itself; negative when the file could not be opened.
class Descriptor {
  public:
    Descriptor(const std::filesystem::path& path, int flags);
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int fd() const { return fd_; }

  private:
    const int fd_;
};

// Each throws KeyError with the file and the reason.

/// Up to `most` bytes of a file that nobody else can read.
std::string read_secret(const std::filesystem::path& file, std::size_t most);

/// Writes a file that nobody else can read, and waits for the disk. Do not use it on a file that is
/// in use: replace that by a draft and a rename.
void write_secret(const std::filesystem::path& file, std::string_view text);

/// After this, names in the folder survive a power cut.
void sync_folder(const std::filesystem::path& folder);

}  // namespace sluice
