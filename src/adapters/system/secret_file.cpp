#include "adapters/system/secret_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {
namespace {

namespace fs = std::filesystem;

std::string reason() {
    return std::strerror(errno);
}

}  // namespace

Descriptor::Descriptor(const fs::path& path, int flags)
    : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}

Descriptor::~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
}

std::string read_secret(const fs::path& file, std::size_t most) {
    const Descriptor in(file, O_RDONLY);
    if (in.fd() < 0) throw KeyError("cannot read " + file.string() + ": " + reason());
    struct stat status{};
    if (::fstat(in.fd(), &status) != 0 || (status.st_mode & 077) != 0)
        throw KeyError(file.string() +
                       " can be read by other users. If nobody has, run: chmod 600 " +
                       file.string());
    std::string text(most, '\0');
    const auto length = ::read(in.fd(), text.data(), text.size());
    if (length < 0) throw KeyError("cannot read " + file.string() + ": " + reason());
    text.resize(static_cast<std::size_t>(length));
    return text;
}

void write_secret(const fs::path& file, std::string_view text) {
    const Descriptor out(file, O_WRONLY | O_CREAT | O_TRUNC);
    const bool written =
        out.fd() >= 0 &&
        ::write(out.fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fsync(out.fd()) == 0;
    if (written) return;
    const auto why = reason();
    ::unlink(file.c_str());
    throw KeyError("cannot write " + file.string() + ": " + why);
}

void sync_folder(const fs::path& folder) {
    const Descriptor opened(folder, O_RDONLY | O_DIRECTORY);
    if (opened.fd() < 0 || ::fsync(opened.fd()) != 0)
        throw KeyError("cannot sync " + folder.string() + ": " + reason());
}

}  // namespace sluice
