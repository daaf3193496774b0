#include "main/keys.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using Master = std::array<unsigned char, crypto_kdf_KEYBYTES>;

std::string reason() {
    return std::strerror(errno);
}

/// A descriptor that closes itself.
class File {
  public:
    File(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
    ~File() {
        if (fd_ >= 0) ::close(fd_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int fd() const { return fd_; }

  private:
    const int fd_;
};

/// Written under another name and linked to its own, so that nobody ever reads half a key and the
/// first of two makers wins.
void make_master(const fs::path& file) {
    Master master;
    crypto_kdf_keygen(master.data());
    const auto text = to_hex(master) + "\n";
    const auto draft = fs::path(file.string() + "." + std::to_string(::getpid()));
    const File out(draft, O_WRONLY | O_CREAT | O_EXCL);
    const bool written =
        out.fd() >= 0 &&
        ::write(out.fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fsync(out.fd()) == 0;
    if (!written) {
        const auto why = reason();
        ::unlink(draft.c_str());
        throw KeyError("cannot write " + draft.string() + ": " + why);
    }
    const bool linked = ::link(draft.c_str(), file.c_str()) == 0 || errno == EEXIST;
    const auto why = reason();
    ::unlink(draft.c_str());
    if (!linked) throw KeyError("cannot make " + file.string() + ": " + why);
    // The name must outlive a power cut as well as the bytes: without it every session is lost.
    const File folder(file.parent_path(), O_RDONLY | O_DIRECTORY);
    if (folder.fd() < 0 || ::fsync(folder.fd()) != 0)
        throw KeyError("cannot sync " + file.parent_path().string() + ": " + reason());
}

Master read_master(const fs::path& file) {
    const File in(file, O_RDONLY);
    if (in.fd() < 0) throw KeyError("cannot read " + file.string() + ": " + reason());
    struct stat status{};
    if (::fstat(in.fd(), &status) != 0 || (status.st_mode & 077) != 0)
        throw KeyError(file.string() +
                       " can be read by other users. If nobody has, run: chmod 600 " +
                       file.string());
    std::array<char, crypto_kdf_KEYBYTES * 2 + 2> text{};
    const auto length = ::read(in.fd(), text.data(), text.size());
    Master master;
    std::size_t decoded = 0;
    const bool whole = length >= static_cast<ssize_t>(master.size() * 2) &&
                       sodium_hex2bin(master.data(), master.size(), text.data(), master.size() * 2,
                                      nullptr, &decoded, nullptr) == 0 &&
                       decoded == master.size();
    if (!whole)
        throw KeyError(file.string() +
                       " is damaged. Restore it from a backup, or remove it to make a new "
                       "one: everybody then has to log in again.");
    return master;
}

}  // namespace

Keys load_keys(const fs::path& data) {
    const auto file = data / "master.key";
    if (!fs::exists(file)) make_master(file);
    const auto master = read_master(file);
    Keys keys;
    const auto derive = [&](auto& out, std::uint64_t number) {
        crypto_kdf_derive_from_key(out.data(), out.size(), number, "sluice__", master.data());
    };
    derive(keys.sessions, 1);
    derive(keys.receipts, 2);
    derive(keys.limits, 3);
    derive(keys.passes, 4);
    derive(keys.tickets, 5);
    derive(keys.sandbox, 10);
    return keys;
}

}  // namespace sluice
