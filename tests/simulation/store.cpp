#include "simulation/store.hpp"

#include <sqlite3.h>

#include "adapters/sqlite/engine/migrate.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "base/check.hpp"
#include "base/run_to_end.hpp"
#include "support/temp_folder.hpp"

namespace sluice::simulation {
namespace {

void furnish(const std::filesystem::path& file) {
    sqlite::migrate(file);
    sqlite::Ledger ledger({.file = file, .readers = 1});
    const auto now = from_millis(1'794'513'600'000);
    Account account{.user = {.id = UserId{1},
                             .phone = "10000",
                             .name = "operator",
                             .role = Role::admin,
                             .created_at = now},
                    .password_hash = "none"};
    CHECK(run_to_end(ledger.users().add(account, std::nullopt)), "the store is empty");
    const Item item{.id = ItemId{1},
                    .title = "tea",
                    .description = "",
                    .image_url = "",
                    .list_price_cents = 100,
                    .currency = "CNY",
                    .version = 1,
                    .created_at = now};
    const Deed deed{.id = DeedId{1},
                    .at = now,
                    .actor = UserId{1},
                    .address = "",
                    .request_id = "",
                    .action = "item.create",
                    .subject = "1",
                    .before = "",
                    .after = "{}"};
    CHECK(run_to_end(ledger.catalog().add_item(item, deed, std::nullopt)), "the store is empty");
}

/// Migrated once; every run begins with a copy of it.
class Template {
  public:
    Template() {
        furnish(folder_ / "template.db");
        database_ = std::make_unique<sqlite::Database>(
            sqlite::Database::open_reader(folder_ / "template.db"));
    }

    sqlite::Database copy() const {
        auto database = sqlite::Database::open_bare(":memory:");
        sqlite3_backup* backup =
            sqlite3_backup_init(database.handle(), "main", database_->handle(), "main");
        CHECK(backup && sqlite3_backup_step(backup, -1) == SQLITE_DONE, "memory can be written");
        sqlite3_backup_finish(backup);
        database.run_script("PRAGMA foreign_keys = ON;");
        return database;
    }

  private:
    testing_support::TempFolder folder_;
    std::unique_ptr<sqlite::Database> database_;
};

}  // namespace

Store::Store()
    : database_([] {
          static const Template blank;
          return blank.copy();
      }()) {}

void Store::crash(bool recover) {
    unpublished_ = false;
    news.conclude(false);
    const auto in_doubt = std::exchange(in_doubt_, nullptr);
    if (in_doubt && recover) in_doubt();
    news.conclude(false);
}

}  // namespace sluice::simulation
