#include "adapters/sql/ledgers/archive.hpp"

#include <chrono>

#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/id_source.hpp"

namespace sluice::ledgers {
namespace {

std::int64_t count_archived(Database& ledger) {
    return ledger.value<std::int64_t>(sql::count_archived);
}

Database& expect_archive(Database& ledger) {
    if (auto* archive = ledger.archive()) return *archive;
    throw ArchiveAway(ledger.archive_name() + " is missing, and " +
                      std::to_string(count_archived(ledger)) +
                      " sales are archived in it: put it back, or restore a backup");
}

}  // namespace

Database* archive_for(Database& ledger, const Sought& sought) {
    if (!ledger.has_row(sql::may_have_orders, sought.from, sought.sale)) return nullptr;
    return &expect_archive(ledger);
}

Database* archive_for(Database& ledger, PaymentId payment) {
    const auto last = ledger.row<Timestamp>(sql::last_archiving);
    if (!last) return nullptr;
    if (payment.value >= IdSource::first_at(*last + std::chrono::milliseconds{1})) return nullptr;
    return &expect_archive(ledger);
}

ArchiveState look_at_archive(Database& ledger) {
    ArchiveState state{.sales = count_archived(ledger), .complaint = ""};
    if (state.sales == 0) return state;
    try {
        ask_archive(ledger, expect_archive(ledger),
                    [](Database& archive) { return archive.has_row(sql::has_archived_order); });
    } catch (const ArchiveAway& away) {
        state.complaint = away.what();
    }
    return state;
}

void expect_in_ledger(Database& ledger, SaleId sale) {
    if (ledger.has_row(sql::is_archived, sale)) throw InArchive(sale);
}

void expect_in_ledger(Database& ledger, OrderId id) {
    if (const auto order = find_order(ledger, id, std::nullopt))
        return expect_in_ledger(ledger, order->sale_id);
    auto* archive = archive_for(ledger, Sought{.from = id});
    if (!archive) return;
    const auto order = ask_archive(
        ledger, *archive, [id](Database& one) { return find_order(one, id, std::nullopt); });
    if (order) throw InArchive(order->sale_id);
}

void expect_in_ledger(Database& ledger, PaymentId id) {
    const auto order_of = [id](Database& database) {
        return database.row<OrderId>(sql::order_of_payment, id);
    };
    if (const auto order = order_of(ledger)) return expect_in_ledger(ledger, *order);
    auto* archive = archive_for(ledger, id);
    if (!archive) return;
    const auto order = ask_archive(ledger, *archive, order_of);
    if (order) expect_in_ledger(ledger, *order);
}

}  // namespace sluice::ledgers
