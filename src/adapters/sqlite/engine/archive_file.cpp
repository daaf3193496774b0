#include "adapters/sqlite/engine/archive_file.hpp"

#include <sqlite3.h>

#include "adapters/sql/archive_away.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/engine/statements.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const Database& database) {
    return sqlite3_db_filename(database.handle(), "main");
}

/// Whether it was renamed, removed or replaced since it was opened.
bool has_moved(const Database& database) {
    int moved = 0;
    sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

}  // namespace

fs::path archive_of(const fs::path& ledger) {
    return ledger.parent_path() / "archive.db";
}

void migrate_archive(const fs::path& ledger) {
    const auto file = archive_of(ledger);
    if (fs::exists(file)) migrate(file);
}

void read_archive_from(Database& ledger, const fs::path& file) {
    try {
        auto archive = std::make_unique<Database>(Database::open_reader(file));
        if (!has_all_migrations(*archive))
            throw sql::ArchiveAway(file.string() + " is of another version: run `sluice migrate`");
        archive->run("ATTACH ?1 AS ledger", file_of(ledger).string());
        archive->run_script(statements::hide_stale_copies);
        ledger.set_archive(std::move(archive));
    } catch (const Error& error) {
        throw sql::ArchiveAway(file.string() + " cannot be read: " + error.what());
    }
}

// The connection to the archive is kept, since opening it costs more than a look-up. It is checked
// whether the file is still the same: `sluice archive` may make one at any time, and an operator
// may put it back.
Database* Database::archive() {
    if (archive_ && !has_moved(*archive_)) return archive_.get();
    archive_ = nullptr;
    const auto file = archive_of(file_of(*this));
    if (!fs::exists(file)) return nullptr;
    read_archive_from(*this, file);
    return archive_.get();
}

std::string Database::archive_name() const {
    return archive_of(file_of(*this)).string();
}

}  // namespace sluice::sqlite
