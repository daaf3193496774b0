#include <cstdio>

#include <boost/json/serialize.hpp>

#include "adapters/sqlite/archive/archive_move.hpp"
#include "main/commands.hpp"
#include "main/mariadb_address.hpp"
#include "main/store.hpp"

namespace sluice {
namespace {

Deed deed_for(Store& store, const char* action, SaleId sale) {
    return store.command_line.make_deed(action, sale.text(), "", "");
}

int bring_back(Store& store, SaleId sale) {
    sqlite::bring_back_sale(store.folder.database(), sale,
                            deed_for(store, "sale.bring_back", sale));
    std::printf("sale %s is in the ledger again\n", sale.text().c_str());
    return 0;
}

/// Tells why a sale stays. That is an error only for a sale that was asked for.
void explain(const sqlite::ArchiveError& error) {
    std::fprintf(stderr, "sluice: %s\n", error.what());
}

/// Of runs that were killed.
void remove_leftovers(Store& store) {
    for (const auto sale : sqlite::list_leftovers(store.folder.database())) {
        sqlite::remove_leftovers(store.folder.database(), sale);
        std::printf("sale %s: removed what an earlier run had left in the ledger\n",
                    sale.text().c_str());
    }
}

}  // namespace

int archive_command(const Config& config, const ArchiveCommand& command) {
    expect_sqlite(config, "archive", "all sales stay in the database there");
    Store store(config);
    sqlite::expect_archive_there(store.folder.database());
    if (command.bring_back) return bring_back(store, *command.bring_back);

    const auto ended_before = store.clock.now() - std::chrono::days{command.days};
    const auto sales = command.sale
                           ? std::vector{*command.sale}
                           : sqlite::list_archivable(store.folder.database(), ended_before);
    if (!command.dry_run) remove_leftovers(store);
    std::size_t moved = 0;
    for (const auto sale : sales) {
        sqlite::ArchiveWish wish{.ledger = store.folder.database(),
                                 .sale = sale,
                                 .ended_before = ended_before,
                                 .deed = deed_for(store, "sale.archive", sale)};
        try {
            const auto rows =
                command.dry_run ? sqlite::count_archivable(wish) : sqlite::archive_sale(wish);
            std::printf("sale %s: %lld rows\n", sale.text().c_str(), static_cast<long long>(rows));
            std::fflush(stdout);
            ++moved;
        } catch (const sqlite::ArchiveError& error) {
            explain(error);
        }
    }
    std::printf("%zu of %zu sales %s\n", moved, sales.size(),
                command.dry_run ? "can be archived" : "archived");
    return command.sale && moved == 0 ? 1 : 0;
}

}  // namespace sluice
