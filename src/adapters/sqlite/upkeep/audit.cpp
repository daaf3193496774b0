#include "adapters/sqlite/upkeep/audit.hpp"

#include <fstream>
#include <iterator>

#include "adapters/sqlite/archive/archive_faults.hpp"
#include "adapters/sqlite/engine/migrate.hpp"
#include "base/outage.hpp"

namespace sluice::sqlite {
namespace {

/// Rows cannot show that later rows are missing. The server that found it has left a note.
void add_known_loss(const std::filesystem::path& database, AuditReport& report) {
    std::ifstream in(loss_file_of(database));
    if (!in) return;
    const std::string loss{std::istreambuf_iterator<char>(in), {}};
    report.checks.push_back({.name = "ledger kept",
                             .holds = false,
                             .detail = loss,
                             .notices = {{NoticeRule::ledger_lost, loss}}});
}

/// Enough memory to sort a million rows without a file.
void make_room(Database& database) {
    database.run_script("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY");
}

}  // namespace

Outcome<AuditReport> audit(Database& database, std::optional<SaleId> sale, Timestamp now) {
    make_room(database);
    auto* archive = database.archive();
    if (archive) make_room(*archive);
    database.run("BEGIN");
    try {
        auto report = ledgers::audit({.ledger = database,
                                      .archive = archive,
                                      .find_archive_faults =
                                          [&](std::optional<SaleId> of) {
                                              return find_archive_faults(database, archive, of);
                                          }},
                                     sale, now);
        database.run("ROLLBACK");
        return report;
    } catch (...) {
        if (database.in_transaction()) database.run("ROLLBACK");
        throw;
    }
}

std::filesystem::path mark_file_of(const std::filesystem::path& database) {
    return database.parent_path() / "ledger.mark";
}

std::filesystem::path loss_file_of(const std::filesystem::path& database) {
    return database.parent_path() / "ledger.loss";
}

Outcome<AuditReport> audit(const std::filesystem::path& file, std::optional<SaleId> sale,
                           Timestamp now) {
    try {
        auto database = Database::open_reader(file);
        verify_schema(database);
        auto report = audit(database, sale, now);
        if (report) add_known_loss(file, *report);
        return report;
    } catch (const SchemaError& error) {
        throw SchemaError(file.string() + ": " + error.what());
    } catch (const Error& error) {
        throw Outage(file.string() + ": " + error.what());
    }
}

}  // namespace sluice::sqlite
