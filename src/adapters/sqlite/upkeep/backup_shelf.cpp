#include "adapters/sqlite/upkeep/backup_shelf.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include "adapters/sqlite/engine/archive_file.hpp"
#include "adapters/sqlite/engine/connection.hpp"
#include "adapters/sqlite/upkeep/backup.hpp"
#include "adapters/sqlite/upkeep/proof.hpp"
#include "base/flush_file.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStart = "sluice-";
constexpr std::string_view kProven = ".db";
constexpr std::string_view kUnproven = ".unproven.db";
constexpr std::string_view kUnchecked = ".unchecked";
constexpr std::size_t kStampSize = std::string_view("20261111T200000Z").size();
constexpr int kStepsBetweenLooks = 10'000;

/// 20261111T200000Z
std::string stamp_of(Timestamp at) {
    auto text = to_rfc3339(at).substr(0, std::string_view("2026-11-11T20:00:00").size());
    std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
    return text + "Z";
}

std::optional<Timestamp> read_stamp(std::string_view text) {
    if (text.size() != kStampSize) return std::nullopt;
    const std::string t(text);
    return parse_rfc3339(t.substr(0, 4) + "-" + t.substr(4, 2) + "-" + t.substr(6, 5) + ":" +
                         t.substr(11, 2) + ":" + t.substr(13));
}

/// Whether the name is one of ours with this ending.
bool has_form(const std::string& name, std::string_view ending) {
    return name.size() == kStart.size() + kStampSize + ending.size() && name.starts_with(kStart) &&
           name.ends_with(ending) &&
           read_stamp(std::string_view(name).substr(kStart.size(), kStampSize));
}

void give_name(const fs::path& from, const fs::path& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) fail_backup("cannot create " + to.string());
}

/// A ledger, and its archive if it has one. Removed at the end of its scope unless it was given its
/// name.
class Unchecked {
  public:
    explicit Unchecked(fs::path file) : file_(std::move(file)) {}
    Unchecked(const Unchecked&) = delete;
    Unchecked& operator=(const Unchecked&) = delete;
    ~Unchecked() {
        ::unlink(archive_backup_of(file_).c_str());
        ::unlink(file_.c_str());
    }

    const fs::path& file() const { return file_; }

    /// The ledger is renamed last: when it has its name, the archive has its own. If this is killed
    /// in between, the ledger is still unchecked, and clear_leftovers() finds both by it.
    void become(const fs::path& name) const {
        if (fs::exists(archive_backup_of(file_)))
            give_name(archive_backup_of(file_), archive_backup_of(name));
        give_name(file_, name);
        if (!flush_file(name.parent_path()))
            fail_backup("cannot flush " + name.parent_path().string());
    }

  private:
    const fs::path file_;
};

/// Makes calls on the connection end early.
void obey(Database& database, const std::atomic<bool>& stop) {
    sqlite3_progress_handler(
        database.handle(), kStepsBetweenLooks,
        [](void* flag) { return static_cast<const std::atomic<bool>*>(flag)->load() ? 1 : 0; },
        const_cast<std::atomic<bool>*>(&stop));
}

/// The first promise that does not hold. Throws for any other reason for which a restore would
/// refuse the file.
std::optional<std::string> find_broken_promise(const fs::path& file, Timestamp now,
                                               const std::atomic<bool>& stop) {
    auto database = Database::open_reader(file);
    obey(database, stop);
    if (const auto archive = archive_backup_of(file); fs::exists(archive)) {
        read_archive_from(database, archive);
        obey(*database.archive(), stop);
    }
    const auto broken = find_broken_promises(database, file, now);
    if (broken.empty()) return std::nullopt;
    return broken.front().name + ": " + broken.front().detail;
}

}  // namespace

BackupShelf::BackupShelf(fs::path folder) : folder_(fs::absolute(std::move(folder))) {
    std::error_code error;
    const bool made = fs::create_directories(folder_, error);
    if (error) throw BackupError("cannot make " + folder_.string() + ": " + error.message());
    if (made) fs::permissions(folder_, fs::perms::owner_all, error);
    lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0) fail_backup("cannot open " + folder_.string());
    if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(lock_);
    throw BackupError("another server keeps its backups in " + folder_.string());
}

BackupShelf::~BackupShelf() {
    ::close(lock_);
}

std::optional<Timestamp> BackupShelf::newest() const {
    const auto proven = list(kProven);
    if (proven.empty()) return std::nullopt;
    return read_stamp(proven.back().filename().string().substr(kStart.size(), kStampSize));
}

BackupShelf::Taken BackupShelf::take(const fs::path& database, Timestamp now,
                                     const std::atomic<bool>& stop) {
    clear_leftovers();
    const auto name = std::string(kStart) + stamp_of(now);
    const Unchecked copy(folder_ / (name + std::string(kUnchecked)));
    try {
        backup(database, copy.file(), [&stop](int, int) {
            if (stop) throw BackupError("the server ends");
        });
        auto broken = find_broken_promise(copy.file(), now, stop);
        const auto file = folder_ / (name + std::string(broken ? kUnproven : kProven));
        copy.become(file);
        return {file, std::move(broken)};
    } catch (const BackupError&) {
        throw;
    } catch (const std::exception& error) {
        throw BackupError(stop ? "the server ends" : error.what());
    }
}

void BackupShelf::prune(std::size_t keep) {
    for (const auto ending : {kProven, kUnproven}) {
        const auto files = list(ending);
        for (std::size_t i = 0; i + keep < files.size(); ++i) discard(files[i]);
    }
}

/// It stops being a backup in one step. If this is killed after that, clear_leftovers() removes the
/// rest.
void BackupShelf::discard(const fs::path& backup) const {
    const auto stem = backup.filename().string().substr(0, kStart.size() + kStampSize);
    const auto unchecked = folder_ / (stem + std::string(kUnchecked));
    if (::rename(backup.c_str(), unchecked.c_str()) != 0)
        fail_backup("cannot remove " + backup.string());
    const auto archive = archive_backup_of(backup);
    if (::unlink(archive.c_str()) != 0 && errno != ENOENT)
        fail_backup("cannot remove " + archive.string());
    if (::unlink(unchecked.c_str()) != 0) fail_backup("cannot remove " + unchecked.string());
}

std::vector<fs::path> BackupShelf::list(std::string_view ending) const {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error))
        if (has_form(entry.path().filename().string(), ending)) files.push_back(entry.path());
    if (error) throw BackupError("cannot read " + folder_.string() + ": " + error.message());
    std::ranges::sort(files);
    return files;
}

/// Left by a server that was killed in between. An unchecked ledger is removed last, because it
/// points to its archive, which may have its name already or still. An archive without a ledger may
/// belong to somebody else.
void BackupShelf::clear_leftovers() const {
    for (const auto* archive : {".archive", ""})
        for (const auto* companion : {"-journal", "-wal", "-shm", ".partial-journal",
                                      ".partial-wal", ".partial-shm", ".partial"})
            for (const auto& file : list(std::string(kUnchecked) + archive + companion))
                ::unlink(file.c_str());
    for (const auto& archive : list(std::string(kUnchecked) + ".archive"))
        ::unlink(archive.c_str());
    for (const auto& unchecked : list(kUnchecked)) {
        const auto stem =
            unchecked.string().substr(0, unchecked.string().size() - kUnchecked.size());
        for (const auto ending : {kProven, kUnproven})
            if (const auto name = stem + std::string(ending); !fs::exists(name))
                ::unlink(archive_backup_of(name).c_str());
        ::unlink(unchecked.c_str());
    }
}

}  // namespace sluice::sqlite
