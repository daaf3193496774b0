#include "adapters/system/pass_key_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <sodium.h>
#include <sys/file.h>

#include "adapters/system/secret_file.hpp"
#include "base/encoding.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = PassKeyFile::kMostKeys * 128;

std::optional<PassKey> read_line(const std::string& line) {
    std::istringstream words(line);
    std::string id, secret, made_at, more;
    words >> id >> secret >> made_at >> more;
    PassKey key;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), key.id);
    std::size_t decoded = 0;
    const bool whole = error == std::errc{} && end == id.data() + id.size() && key.id > 0 &&
                       more.empty() && secret.size() == key.secret.size() * 2 &&
                       sodium_hex2bin(key.secret.data(), key.secret.size(), secret.data(),
                                      secret.size(), nullptr, &decoded, nullptr) == 0 &&
                       decoded == key.secret.size();
    const auto made = parse_rfc3339(made_at);
    if (!whole || !made) return std::nullopt;
    key.made_at = *made;
    return key;
}

std::string write_line(const PassKey& key) {
    return std::to_string(key.id) + " " + to_hex(key.secret) + " " + to_rfc3339(key.made_at) + "\n";
}

/// Held while the file is replaced: if two processes rotate at once, neither loses the other's key.
class FolderLock {
  public:
    explicit FolderLock(const fs::path& folder) : folder_(folder, O_RDONLY | O_DIRECTORY) {
        if (folder_.fd() < 0 || ::flock(folder_.fd(), LOCK_EX) != 0)
            throw KeyError("cannot lock " + folder.string() + ": " + std::strerror(errno));
    }

  private:
    const Descriptor folder_;
};

}  // namespace

PassKeyFile::PassKeyFile(const std::filesystem::path& folder)
    : folder_(folder), file_(folder / "pass.keys") {}

bool PassKeyFile::exists() const {
    return fs::exists(file_);
}

std::string PassKeyFile::text() const {
    return read_secret(file_, kMostBytes);
}

void PassKeyFile::replace(const std::string& text) {
    const FolderLock lock(folder_);
    parse(text);
    write(text);
}

std::vector<PassKey> PassKeyFile::read() const {
    return parse(text());
}

std::vector<PassKey> PassKeyFile::parse(const std::string& text) const {
    std::istringstream lines(text);
    std::vector<PassKey> keys;
    bool whole = true;
    for (std::string line; whole && std::getline(lines, line);) {
        const auto key = read_line(line);
        whole = key && keys.size() < kMostKeys &&
                std::ranges::find(keys, key->id, &PassKey::id) == keys.end();
        if (whole) keys.push_back(*key);
    }
    if (!whole || keys.empty())
        throw KeyError(file_.string() +
                       " is damaged. Restore it from a backup, or remove it to make a new one: "
                       "passes that are out are then worth nothing.");
    return keys;
}

std::vector<PassKey> PassKeyFile::read_or_make(Random& random, Timestamp now) {
    const FolderLock lock(folder_);
    if (!exists()) add({}, 1, random, now);
    return read();
}

PassKey PassKeyFile::rotate(Random& random, Timestamp now, bool drop_old,
                            std::chrono::milliseconds lead) {
    const FolderLock lock(folder_);
    auto keys = exists() ? keys_in_force(read(), now) : std::vector<PassKey>{};
    // Not an id that a pass which is out may name.
    const int last = keys.empty() ? 0 : keys.back().id;
    if (drop_old) keys.clear();
    if (keys.size() >= kMostKeys)
        throw KeyError(std::to_string(keys.size()) +
                       " keys are in force, which is as many as there may be. The oldest ends at " +
                       to_rfc3339(keys[1].made_at + kPassKeyRetention) + ".");
    return add(std::move(keys), static_cast<std::uint16_t>(last % 65'535 + 1), random, now + lead);
}

PassKey PassKeyFile::add(std::vector<PassKey> keys, std::uint16_t id, Random& random,
                         Timestamp now) {
    PassKey fresh{.id = id, .secret = {}, .made_at = now};
    if (!keys.empty()) fresh.made_at = std::max(now, keys.back().made_at);
    random.fill(fresh.secret);
    keys.push_back(fresh);
    std::string text;
    for (const auto& key : keys) text += write_line(key);
    write(text);
    return fresh;
}

void PassKeyFile::write(const std::string& text) const {
    const auto draft = fs::path(file_.string() + ".new");
    write_secret(draft, text);
    std::error_code error;
    fs::rename(draft, file_, error);
    if (error) throw KeyError("cannot replace " + file_.string() + ": " + error.message());
    sync_folder(folder_);
}

bool PassKeyFile::has_changed() {
    struct stat present{};
    if (::stat(file_.c_str(), &present) != 0) present = {};
    const bool same = present.st_ino == seen_.st_ino &&
                      present.st_ctim.tv_sec == seen_.st_ctim.tv_sec &&
                      present.st_ctim.tv_nsec == seen_.st_ctim.tv_nsec;
    seen_ = present;
    return !same;
}

}  // namespace sluice
