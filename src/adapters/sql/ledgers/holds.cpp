#include "adapters/sql/ledgers/holds.hpp"

#include <tuple>
#include <unordered_map>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/ledgers/ways_back.hpp"
#include "adapters/sql/part.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "domain/deed_details.hpp"
#include "domain/order_rules.hpp"

namespace sluice::ledgers {
namespace {

using HoldsWanted = OrderLedger::HoldsWanted;

struct BoughtRow {
    UserId buyer;
    OrderId order;
    std::optional<std::string> network;
};
struct PendingRow {
    BoughtRow bought;
    std::int64_t units = 0;
    Timestamp created_at;
    Timestamp expires_at;
};

std::optional<Network> to_network(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    const auto subject = parse_block_subject(*text);
    if (!subject || !std::holds_alternative<Network>(*subject))
        throw RowError("network: a text that is no network");
    return std::get<Network>(*subject);
}

HoldsTally::Bought to_bought(const BoughtRow& row) {
    return {.buyer = row.buyer, .order = row.order, .network = to_network(row.network)};
}

/// Of the latest log-in that still has its session: for orders of which no network was kept.
std::optional<Network> find_network(Database& database, UserId user, Timestamp now) {
    using Found = std::tuple<std::optional<std::string>, std::optional<Timestamp>>;
    return to_network(std::get<0>(database.value<Found>(sql::find_network_of_user, user, now)));
}

HoldsTally count_orders(Database& ledger, SaleId sale, Timestamp now) {
    HoldsTally tally(now);
    for (const auto& row : ledger.rows<PendingRow>(sql::list_pending_of_sale, sale))
        tally.add_pending(to_bought(row.bought), row.units, row.created_at, row.expires_at);
    for (const auto state : {OrderState::expired, OrderState::cancelled})
        for (const auto& row :
             ledger.rows<BoughtRow>(sql::list_lapses, sale, state, kMostLapsesCounted))
            tally.add_lapse(to_bought(row));
    return tally;
}

/// Nothing is pending there.
HoldsTally count_archived(Database& archive, SaleId sale, Timestamp now) {
    HoldsTally tally(now);
    for (const auto state : {OrderState::expired, OrderState::cancelled})
        for (const auto& [buyer, order] : archive.rows<std::tuple<UserId, OrderId>>(
                 sql::list_archived_lapses, sale, state, kMostLapsesCounted))
            tally.add_lapse({.buyer = buyer, .order = order});
    return tally;
}

/// Users and sessions are only in the ledger, also when the sale is archived.
HoldsOfSale read_from(Database& orders, Database& ledger, SaleId sale, Timestamp now) {
    const bool is_archived = &orders != &ledger;
    auto tally = is_archived ? count_archived(orders, sale, now) : count_orders(ledger, sale, now);
    for (const auto buyer : tally.strays())
        if (const auto network = find_network(ledger, buyer, now))
            tally.set_network(buyer, *network);
    auto holds = tally.finish();
    for (auto& buyer : holds.buyers) {
        buyer.paid = orders.value<std::int64_t>(sql::count_paid_orders, buyer.id, sale);
        auto user =
            ledger.row<std::tuple<std::string, std::string>>(sql::find_buyer_of_order, buyer.id);
        if (user) std::tie(buyer.phone, buyer.name) = std::move(*user);
    }
    return holds;
}

std::vector<OrderId> list_of_buyer(Database& database, UserId buyer, const HoldsWanted& wanted,
                                   std::size_t limit) {
    return database
        .rows<OrderId>(sql::list_holds_of_buyer, buyer, wanted.sale, wanted.now, wanted.after,
                       limit)
        .to_vector();
}

std::vector<OrderId> list_of_network(Database& database, const Network& network,
                                     const HoldsWanted& wanted, std::size_t limit) {
    const auto is_inside = [&](const std::optional<Network>& household) {
        return household && covers(network, household->base);
    };
    std::vector<OrderId> found;
    std::unordered_map<UserId, bool> is_buyer_inside;
    for (const auto& row :
         database.rows<BoughtRow>(sql::list_holds_of_sale, wanted.sale, wanted.now, wanted.after)) {
        bool inside = is_inside(to_network(row.network));
        if (!row.network) {
            const auto [at, unknown] = is_buyer_inside.try_emplace(row.buyer);
            if (unknown) at->second = is_inside(find_network(database, row.buyer, wanted.now));
            inside = at->second;
        }
        if (!inside) continue;
        found.push_back(row.order);
        if (found.size() == limit) break;
    }
    return found;
}

}  // namespace

HoldsOfSale read_holds(Database& database, SaleId sale, Timestamp now) {
    const auto read = [&](Database& orders) { return read_from(orders, database, sale, now); };
    auto* archive = archive_for(database, Sought{.sale = sale});
    return archive ? ask_archive(database, *archive, read) : read(database);
}

FoundHolds find_holds(Database& database, const HoldsWanted& wanted) {
    const auto* buyer = std::get_if<UserId>(&wanted.of);
    const auto limit = wanted.limit + 1;  // one more shows whether there is more
    FoundHolds found;
    found.orders = buyer ? list_of_buyer(database, *buyer, wanted, limit)
                         : list_of_network(database, std::get<Network>(wanted.of), wanted, limit);
    found.more = found.orders.size() == limit;
    if (found.more) found.orders.pop_back();
    return found;
}

OrderLedger::HoldsGivenBack give_back_found(Database& database, const HoldsWanted& wanted,
                                            const FoundHolds& found, Deed deed, News& news) {
    OrderLedger::HoldsGivenBack given{.held = {}, .last = wanted.after, .more = found.more};
    for (const auto id : found.orders) {
        given.last = id;
        auto order = find_order(database, id, std::nullopt);
        if (!order) continue;
        const auto step = judge_cancel(*order, wanted.now);
        if (!step || *step != Step::write) continue;
        const Held one{.orders = 1, .units = order->quantity};
        // One order that somebody has tampered with must not affect the others.
        const auto failure = run_part(database, [&] {
            give_back(database, std::move(*order), OrderState::cancelled, wanted.now, news);
        });
        if (!failure) given.held += one;
    }
    if (given.held.orders == 0) return given;
    deed.after = deed_details(wanted.of, given.held);
    add_deed(database, deed);
    return given;
}

}  // namespace sluice::ledgers
