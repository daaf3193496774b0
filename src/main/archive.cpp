#include <cstdio>
#include <memory>

#include "adapters/mariadb/archive/archive_move.hpp"
#include "adapters/sqlite/archive/archive_move.hpp"
#include "main/commands.hpp"
#include "main/mariadb_address.hpp"
#include "main/store.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using sql::ArchiveError;

struct SaleWish {
    SaleId sale;
    Timestamp ended_before;
    Deed deed;
};

/// The moves between a ledger and its archive, for both kinds of ledger.
class SaleMover {
  public:
    virtual ~SaleMover() = default;

    virtual std::vector<SaleId> list(Timestamp until) = 0;
    virtual std::int64_t count(const SaleWish& wish) = 0;
    virtual std::int64_t archive(const SaleWish& wish) = 0;
    virtual std::vector<SaleId> leftovers() = 0;
    virtual void remove_leftovers(SaleId sale) = 0;
    /// Removes from the archive what does not count there.
    virtual void remove_stale_copies() = 0;
    virtual void bring_back(SaleId sale, const Deed& deed) = 0;
};

class FileMover final : public SaleMover {
  public:
    explicit FileMover(fs::path ledger) : ledger_(std::move(ledger)) {
        sqlite::expect_archive_there(ledger_);
    }

    std::vector<SaleId> list(Timestamp until) override {
        return sqlite::list_archivable(ledger_, until);
    }
    std::int64_t count(const SaleWish& wish) override {
        return sqlite::count_archivable(with_file(wish));
    }
    std::int64_t archive(const SaleWish& wish) override {
        return sqlite::archive_sale(with_file(wish));
    }
    std::vector<SaleId> leftovers() override { return sqlite::list_leftovers(ledger_); }
    void remove_leftovers(SaleId sale) override { sqlite::remove_leftovers(ledger_, sale); }
    void remove_stale_copies() override {}  // otherwise the file would not shrink
    void bring_back(SaleId sale, const Deed& deed) override {
        sqlite::bring_back_sale(ledger_, sale, deed);
    }

  private:
    sqlite::ArchiveWish with_file(const SaleWish& wish) const {
        return {.ledger = ledger_,
                .sale = wish.sale,
                .ended_before = wish.ended_before,
                .deed = wish.deed};
    }

    const fs::path ledger_;
};

class TableMover final : public SaleMover {
  public:
    explicit TableMover(mariadb::ServerAddress address) : address_(std::move(address)) {}

    std::vector<SaleId> list(Timestamp until) override {
        return mariadb::list_archivable(address_, until);
    }
    std::int64_t count(const SaleWish& wish) override {
        return mariadb::count_archivable(address_, as_wish(wish));
    }
    std::int64_t archive(const SaleWish& wish) override {
        return mariadb::archive_sale(address_, as_wish(wish));
    }
    std::vector<SaleId> leftovers() override { return mariadb::list_leftovers(address_); }
    void remove_leftovers(SaleId sale) override { mariadb::remove_leftovers(address_, sale); }
    void remove_stale_copies() override { mariadb::remove_stale_copies(address_); }
    void bring_back(SaleId sale, const Deed& deed) override {
        mariadb::bring_back_sale(address_, sale, deed);
    }

  private:
    static mariadb::ArchiveWish as_wish(const SaleWish& wish) {
        return {.sale = wish.sale, .ended_before = wish.ended_before, .deed = wish.deed};
    }

    const mariadb::ServerAddress address_;
};

std::unique_ptr<SaleMover> make_mover(const Config& config, const Store& store) {
    if (config.ledger.kind == LedgerKind::mariadb)
        return std::make_unique<TableMover>(mariadb_address(config));
    return std::make_unique<FileMover>(store.folder.database());
}

Deed deed_for(Store& store, const char* action, SaleId sale) {
    return store.command_line.make_deed(action, sale.text(), "", "");
}

int bring_back(Store& store, SaleMover& mover, SaleId sale) {
    mover.bring_back(sale, deed_for(store, "sale.bring_back", sale));
    std::printf("sale %s is in the ledger again\n", sale.text().c_str());
    return 0;
}

/// Reports why a sale stays. That is an error only for a sale that was asked for.
void explain(const ArchiveError& error) {
    std::fprintf(stderr, "sluice: %s\n", error.what());
}

/// Left by runs that were killed.
void remove_leftovers(SaleMover& mover) {
    for (const auto sale : mover.leftovers()) {
        try {
            mover.remove_leftovers(sale);
            std::printf("sale %s: removed what an earlier run had left in the ledger\n",
                        sale.text().c_str());
        } catch (const ArchiveError& error) {
            explain(error);  // it prevents no other sale from being archived
        }
    }
    mover.remove_stale_copies();
}

/// False when it has to stay.
bool archive_one(SaleMover& mover, const SaleWish& wish, bool dry_run) {
    try {
        const auto rows = dry_run ? mover.count(wish) : mover.archive(wish);
        std::printf("sale %s: %lld rows\n", wish.sale.text().c_str(), static_cast<long long>(rows));
        std::fflush(stdout);
        return true;
    } catch (const ArchiveError& error) {
        explain(error);
        return false;
    }
}

}  // namespace

int archive_command(const Config& config, const ArchiveCommand& command) {
    Store store(config);
    const auto mover = make_mover(config, store);
    if (command.bring_back) return bring_back(store, *mover, *command.bring_back);

    const auto ended_before = store.clock.now() - std::chrono::days{command.days};
    const auto sales = command.sale ? std::vector{*command.sale} : mover->list(ended_before);
    if (!command.dry_run) remove_leftovers(*mover);
    std::size_t moved = 0;
    for (const auto sale : sales)
        if (archive_one(*mover,
                        {.sale = sale,
                         .ended_before = ended_before,
                         .deed = deed_for(store, "sale.archive", sale)},
                        command.dry_run))
            ++moved;
    std::printf("%zu of %zu sales %s\n", moved, sales.size(),
                command.dry_run ? "can be archived" : "archived");
    return command.sale && moved == 0 ? 1 : 0;
}

}  // namespace sluice
