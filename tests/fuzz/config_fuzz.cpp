#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "base/check.hpp"
#include "config/load.hpp"
#include "fuzz/targets.hpp"

namespace sluice::fuzz {
namespace {

/// A file in memory only.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("config", MFD_CLOEXEC)) {
        CHECK(fd_ >= 0, "a file can be made in memory");
        CHECK(::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
              "it can be written");
    }
    ~MemoryFile() { ::close(fd_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    const int fd_;
};

Sources::Pairs pairs_in(std::string_view bytes) {
    Sources::Pairs pairs;
    while (!bytes.empty()) {
        const auto line = bytes.substr(0, bytes.find('\n'));
        bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
        const auto equals = line.find('=');
        if (equals != line.npos)
            pairs.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    return pairs;
}

/// Any other exception is a bug, and ends the process.
void load(const Sources& sources) {
    try {
        load_config(sources);
    } catch (const ConfigError& error) {
        CHECK(*error.what() != '\0', "an error says what is wrong");
    }
}

}  // namespace

void config(std::string_view bytes) {
    const MemoryFile file(bytes);
    load({.file = file.path()});
    load({.environment = pairs_in(bytes)});
    load({.flags = pairs_in(bytes)});
}

}  // namespace sluice::fuzz
