#include "adapters/sqlite/archive.hpp"

#include <sodium.h>
#include <sqlite3.h>

#include "adapters/sqlite/migrate.hpp"
#include "adapters/sqlite/statements.hpp"
#include "adapters/sqlite/trail.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

namespace fs = std::filesystem;
using Digest = std::array<unsigned char, 32>;

/// What moves, parents before children. `facts` are the columns that the digest covers: those that
/// later migrations add do not change it.
struct Table {
    std::string_view name;
    std::string_view rows;
    std::string_view facts;
    std::string_view key;
};
constexpr std::array<Table, 7> kTables{{
    {"orders", "sale_id = ?1",
     "id, sale_id, item_id, buyer_id, mark, quantity, price_cents, currency, state, created_at, "
     "expires_at, paid_at",
     "id"},
    {"journal", "sale_id = ?1",
     "buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key, claimed_at, "
     "superseded",
     "buyer_id, mark"},
    {"holdings", "sale_id = ?1", "sale_id, buyer_id, units, latest", "buyer_id"},
    {"payments", "order_id IN (SELECT id FROM orders WHERE sale_id = ?1)",
     "id, order_id, provider, amount_cents, currency, state, provider_ref, created_at", "id"},
    {"charges",
     "payment_id IN (SELECT id FROM payments WHERE order_id IN "
     "(SELECT id FROM orders WHERE sale_id = ?1))",
     "id, payment_id, order_id, provider, provider_ref, amount_cents, currency, captures, at",
     "id"},
    {"refunds",
     "charge_id IN (SELECT id FROM charges WHERE payment_id IN (SELECT id FROM payments WHERE "
     "order_id IN (SELECT id FROM orders WHERE sale_id = ?1)))",
     "charge_id, provider, order_id, reason, owed_at, attempts, done_at, by_hand", "charge_id"},
    {"payment_events",
     "payment_id IN (SELECT id FROM payments WHERE order_id IN "
     "(SELECT id FROM orders WHERE sale_id = ?1))",
     "provider, event_id, payment_id, type, outcome, at", "rowid"},
}};

fs::path file_of(const Database& database) {
    return sqlite3_db_filename(database.handle(), "main");
}

std::string text(std::string_view start, const Table& table) {
    return std::string(start) + " FROM " + std::string(table.name) + " WHERE " +
           std::string(table.rows);
}

/// Copies are rows, not events: no trigger tells anybody of them or refuses them.
class WithoutTriggers {
  public:
    explicit WithoutTriggers(Database& database) : database_(database) { set(0); }
    ~WithoutTriggers() { set(1); }
    WithoutTriggers(const WithoutTriggers&) = delete;
    WithoutTriggers& operator=(const WithoutTriggers&) = delete;

  private:
    void set(int on) {
        sqlite3_db_config(database_.handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, on, nullptr);
    }

    Database& database_;
};

/// A transaction that is taken back unless it was committed.
class Transaction {
  public:
    Transaction(Database& database, std::string_view begin) : database_(database) {
        database_.run(begin);
    }
    ~Transaction() {
        if (!database_.in_transaction()) return;
        try {
            database_.run("ROLLBACK");
        } catch (const Error&) {
            // SQLite rolls back by itself when the connection closes.
        }
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    void commit() { database_.run("COMMIT"); }

  private:
    Database& database_;
};

void hash_value(crypto_generichash_state& state, sqlite3_stmt& row, int column) {
    const auto type = static_cast<unsigned char>(sqlite3_column_type(&row, column));
    crypto_generichash_update(&state, &type, 1);
    if (type == SQLITE_INTEGER) {
        const sqlite3_int64 number = sqlite3_column_int64(&row, column);
        crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&number),
                                  sizeof number);
    } else if (type != SQLITE_NULL) {
        const auto* data = static_cast<const unsigned char*>(sqlite3_column_blob(&row, column));
        const auto size = static_cast<std::uint64_t>(sqlite3_column_bytes(&row, column));
        crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&size),
                                  sizeof size);
        crypto_generichash_update(&state, data, size);
    }
}

/// Over every fact of every row, in a fixed order. Each value carries its type and length, so that
/// no two lists of rows read the same.
Digest digest_of(Database& database, SaleId sale) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, nullptr, 0, sizeof(Digest));
    for (const auto& table : kTables) {
        auto rows = database.query(text("SELECT " + std::string(table.facts), table) +
                                       " ORDER BY " + std::string(table.key),
                                   sale);
        while (rows.step())
            for (int i = 0; i < sqlite3_column_count(&rows.handle()); ++i)
                hash_value(state, rows.handle(), i);
    }
    Digest digest;
    crypto_generichash_final(&state, digest.data(), digest.size());
    return digest;
}

/// Copies what `query` finds into the table; both databases have one schema.
std::int64_t copy_rows(Database& from, Database& to, const std::string& query,
                       std::string_view table, SaleId sale) {
    auto rows = from.query(query, sale);
    std::string insert = "INSERT OR REPLACE INTO " + std::string(table) + " VALUES (?";
    for (int i = 1; i < sqlite3_column_count(&rows.handle()); ++i) insert += ", ?";
    auto target = to.repeat(insert + ")");
    std::int64_t count = 0;
    for (; rows.step(); ++count) target.run_row(rows);
    return count;
}

/// Children before parents.
void remove_rows(Database& database, SaleId sale) {
    for (auto table = kTables.rbegin(); table != kTables.rend(); ++table)
        database.run(text("DELETE", *table), sale);
}

std::int64_t copy_sale(Database& from, Database& to, SaleId sale) {
    const WithoutTriggers quiet(to);
    remove_rows(to, sale);
    std::int64_t count = 0;
    for (const auto& table : kTables)
        count +=
            copy_rows(from, to, text("SELECT *", table) + " ORDER BY " + std::string(table.key),
                      table.name, sale);
    return count;
}

/// The sale and its item too: the archive is a whole database, and can be audited as one.
std::int64_t copy_into_archive(Database& ledger, Database& archive, SaleId sale,
                               const Digest& digest) {
    Transaction transaction(archive, "BEGIN IMMEDIATE");
    {
        const WithoutTriggers quiet(archive);
        copy_rows(ledger, archive, std::string(sql::item_of_sale), "items", sale);
        copy_rows(ledger, archive, std::string(sql::row_of_sale), "sales", sale);
    }
    const auto rows = copy_sale(ledger, archive, sale);
    if (digest_of(archive, sale) != digest)
        throw ArchiveError("sale " + sale.text() + " was not copied correctly");
    transaction.commit();
    return rows;
}

/// Under its name only when it is complete: whoever finds it can read it.
void make_archive(const fs::path& file) {
    const fs::path draft = file.string() + ".new";
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(draft.string() + suffix);
    migrate(draft);
    fs::rename(draft, file);
}

Database open_archive_to_write(const fs::path& file) {
    if (!fs::exists(file)) make_archive(file);
    migrate(file);
    auto archive = Database::open_writer(file);
    // A copy that is replaced may name an item's older row, and a child may come before its parent.
    archive.run_script("PRAGMA foreign_keys = OFF");
    return archive;
}

void expect_no_obstacle(Database& ledger, const ArchiveWish& wish) {
    auto row = ledger.query(sql::archive_obstacle, wish.sale, wish.ended_before);
    if (row.step())
        throw ArchiveError("sale " + wish.sale.text() +
                           " stays in the ledger: " + row.column<std::string>(0));
}

/// From here on the archive's copy is the valid one. The digest is taken again under the write
/// lock: whatever was changed since the copy, such as a refund, makes the sale stay.
void remove_from_ledger(const ArchiveWish& wish, const Digest& copied) {
    auto ledger = Database::open_writer(wish.ledger);
    Transaction transaction(ledger, "BEGIN IMMEDIATE");
    expect_no_obstacle(ledger, wish);
    if (digest_of(ledger, wish.sale) != copied)
        throw ArchiveError("sale " + wish.sale.text() +
                           " was changed while it was copied: try again");
    ledger.run(sql::note_archived, wish.sale, wish.deed.at, copied);
    add_deed(ledger, wish.deed);
    {
        const WithoutTriggers quiet(ledger);
        remove_rows(ledger, wish.sale);
    }
    transaction.commit();
}

std::optional<Digest> archived_digest(Database& ledger, SaleId sale) {
    auto row = ledger.query(sql::list_archived, sale);
    if (!row.step()) return std::nullopt;
    return row.column<Digest>(1);
}

std::optional<std::string> fault_of(Database& ledger, Database* archive, SaleId sale,
                                    const Digest& digest) {
    const auto name = "archived sale " + sale.text();
    if (!archive) return name + " is not there: its file archive.db is missing";
    if (digest_of(*archive, sale) != digest)
        return name + " is not what was moved: rows are missing or were changed";
    const auto stock = [sale](Database& database) {
        std::array<std::int64_t, 4> units{-1, -1, -1, -1};
        auto row = database.query(sql::stock_of_sale, sale);
        if (row.step())
            for (int i = 0; i < 4; ++i)
                units[static_cast<std::size_t>(i)] = row.column<std::int64_t>(i);
        return units;
    };
    if (stock(ledger) != stock(*archive)) return name + " has another stock in the ledger";
    return std::nullopt;
}

template <class Key>
bool bring_back_if_archived(Database& ledger, std::string_view query, Key key) {
    auto* archive = archive_beside(ledger);
    if (!archive) return false;
    std::optional<SaleId> sale;
    {
        auto row = archive->query(query, key);
        if (row.step()) sale = row.template column<SaleId>(0);
    }
    if (sale) bring_back(ledger, *sale);
    return sale.has_value();
}

}  // namespace

fs::path archive_of(const fs::path& ledger) {
    return ledger.parent_path() / "archive.db";
}

void migrate_archive(const fs::path& ledger) {
    const auto file = archive_of(ledger);
    if (fs::exists(file)) migrate(file);
}

Database* archive_beside(Database& ledger) {
    if (ledger.archive()) return ledger.archive();
    const auto file = archive_of(file_of(ledger));
    if (!fs::exists(file)) return nullptr;
    read_archive_from(ledger, file);
    return ledger.archive();
}

void read_archive_from(Database& ledger, const fs::path& file) {
    auto archive = std::make_unique<Database>(Database::open_reader(file));
    archive->run("ATTACH ?1 AS ledger", file_of(ledger).string());
    archive->run_script(sql::hide_stale_copies);
    ledger.set_archive(std::move(archive));
}

std::vector<SaleId> list_archivable(const fs::path& file, Timestamp until) {
    std::vector<SaleId> sales;
    auto ledger = Database::open_reader(file);
    auto rows = ledger.query(sql::list_archivable, until);
    while (rows.step()) sales.push_back(rows.column<SaleId>(0));
    return sales;
}

std::int64_t archive_sale(const ArchiveWish& wish) {
    auto archive = open_archive_to_write(archive_of(wish.ledger));
    Digest digest;
    std::int64_t rows = 0;
    {
        auto ledger = Database::open_reader(wish.ledger);
        const Transaction snapshot(ledger, "BEGIN");
        expect_no_obstacle(ledger, wish);
        digest = digest_of(ledger, wish.sale);
        rows = copy_into_archive(ledger, archive, wish.sale, digest);
    }
    remove_from_ledger(wish, digest);
    return rows;
}

std::int64_t count_archivable(const ArchiveWish& wish) {
    auto ledger = Database::open_reader(wish.ledger);
    const Transaction snapshot(ledger, "BEGIN");
    expect_no_obstacle(ledger, wish);
    std::int64_t count = 0;
    for (const auto& table : kTables) {
        auto row = ledger.query(text("SELECT count(*)", table), wish.sale);
        row.step();
        count += row.column<std::int64_t>(0);
    }
    return count;
}

void bring_back_sale(const fs::path& file, SaleId sale, const Deed& deed) {
    auto ledger = Database::open_writer(file);
    Transaction transaction(ledger, "BEGIN IMMEDIATE");
    bring_back(ledger, sale);
    add_deed(ledger, deed);
    transaction.commit();
}

void bring_back(Database& ledger, SaleId sale) {
    const auto digest = archived_digest(ledger, sale);
    if (!digest) throw ArchiveError("sale " + sale.text() + " is not archived");
    auto* archive = archive_beside(ledger);
    if (!archive) throw ArchiveError(archive_of(file_of(ledger)).string() + " is missing");
    const Transaction snapshot(*archive, "BEGIN");
    copy_sale(*archive, ledger, sale);
    if (digest_of(ledger, sale) != *digest)
        throw ArchiveError("sale " + sale.text() +
                           " cannot be brought back: the archive is not what was moved");
    ledger.run(sql::forget_archived, sale);
}

bool bring_back_order(Database& ledger, OrderId order) {
    return bring_back_if_archived(ledger, sql::archived_sale_of_order, order);
}

bool bring_back_payment(Database& ledger, PaymentId payment) {
    return bring_back_if_archived(ledger, sql::archived_sale_of_payment, payment);
}

std::vector<std::string> find_archive_faults(Database& ledger, Database* archive,
                                             std::optional<SaleId> sale) {
    std::vector<std::string> faults;
    auto rows = ledger.query(sql::list_archived, sale);
    while (rows.step()) {
        auto fault = fault_of(ledger, archive, rows.column<SaleId>(0), rows.column<Digest>(1));
        if (fault) faults.push_back(std::move(*fault));
    }
    return faults;
}

void complete_archive(Database& ledger, const fs::path& file, const fs::path& source) {
    auto archive = open_archive_to_write(file);
    auto copy = Database::open_bare(source);
    auto rows = ledger.query(sql::list_archived, std::nullopt);
    while (rows.step()) {
        const auto sale = rows.column<SaleId>(0);
        const auto digest = rows.column<Digest>(1);
        if (digest_of(archive, sale) == digest || digest_of(copy, sale) != digest) continue;
        copy_into_archive(copy, archive, sale, digest);
    }
}

}  // namespace sluice::sqlite
