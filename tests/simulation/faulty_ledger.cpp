#include "simulation/faulty_ledger.hpp"

#include <limits>

#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/holds.hpp"
#include "adapters/sql/ledgers/hot_outbox.hpp"
#include "adapters/sql/ledgers/journal.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/ledgers/ways_back.hpp"
#include "base/check.hpp"
#include "simulation/faulty_work.hpp"

namespace sluice::simulation {
namespace {

using sqlite::Database;

}  // namespace

Task<OrderLedger::Past> FaultyOrders::past(Ticket ticket) {
    return read<Past>(store_, schedule_, [ticket = std::move(ticket)](Database& database) {
        return ledgers::read_past(database, ticket);
    });
}

Task<std::optional<TicketRecord>> FaultyOrders::latest_ticket(SaleId sale, UserId buyer) {
    return read<std::optional<TicketRecord>>(store_, schedule_, [sale, buyer](Database& database) {
        return ledgers::find_latest_answer(database, sale, buyer);
    });
}

Task<UnpaidHolds> FaultyOrders::unpaid_holds(SaleId sale, UserId buyer) {
    return read<UnpaidHolds>(store_, schedule_, [sale, buyer](Database& database) {
        return ledgers::find_unpaid_holds(database, sale, buyer);
    });
}

Task<std::optional<TicketRecord>> FaultyOrders::ticket(TicketId id, UserId buyer) {
    return read<std::optional<TicketRecord>>(store_, schedule_, [id, buyer](Database& database) {
        return ledgers::find_answer(database, id, buyer);
    });
}

Task<std::optional<Order>> FaultyOrders::order(OrderId id, UserId buyer) {
    return read<std::optional<Order>>(store_, schedule_, [id, buyer](Database& database) {
        return ledgers::find_order(database, id, buyer);
    });
}

Task<std::vector<Order>> FaultyOrders::orders(UserId buyer, std::optional<OrderId> before,
                                              std::size_t limit) {
    const auto below = before.value_or(OrderId{std::numeric_limits<std::int64_t>::max()});
    return read<std::vector<Order>>(store_, schedule_, [=](Database& database) {
        return ledgers::list_orders(database, buyer, below, limit);
    });
}

Task<Outcome<OrderLedger::GivenBack>> FaultyOrders::cancel(OrderId id, UserId buyer,
                                                           Timestamp now) {
    return write<Outcome<GivenBack>>(
        store_, schedule_, "cancel", [id, buyer, now, &news = store_.news](Database& database) {
            return ledgers::cancel_order(database, id, buyer, now, news);
        });
}

Task<OrderLedger::HoldsGivenBack> FaultyOrders::give_back_holds(HoldsWanted wanted, Deed deed) {
    auto look = [wanted](Database& database) { return ledgers::find_holds(database, wanted); };
    auto found = co_await read<ledgers::FoundHolds>(store_, schedule_, std::move(look));
    if (found.orders.empty()) co_return HoldsGivenBack{.held = {}, .last = wanted.after};
    auto cancel = [wanted, found = std::move(found), deed = std::move(deed),
                   &news = store_.news](Database& database) {
        return ledgers::give_back_found(database, wanted, found, deed, news);
    };
    auto given =
        co_await write<HoldsGivenBack>(store_, schedule_, "giving back", std::move(cancel));
    co_return given;
}

Task<std::optional<Timestamp>> FaultyOrders::next_due(DuePlace after) {
    return read<std::optional<Timestamp>>(store_, schedule_, [after](Database& database) {
        return ledgers::find_next_due(database, after);
    });
}

Task<OrderLedger::Expired> FaultyOrders::expire(Timestamp now, std::size_t limit, DuePlace after) {
    return write<Expired>(store_, schedule_, "expiry",
                          [now, limit, after, &news = store_.news](Database& database) {
                              return ledgers::expire_orders(database, now, limit, after, news);
                          });
}

Task<std::vector<TicketRecord>> FaultyOrders::tickets(std::vector<Ticket> tickets) {
    return read<std::vector<TicketRecord>>(store_, schedule_,
                                           [tickets = std::move(tickets)](Database& database) {
                                               return ledgers::find_tickets(database, tickets);
                                           });
}

Task<std::vector<HotChange>> FaultyOrders::hot_changes(SaleId sale, std::int64_t after,
                                                       std::size_t limit) {
    return read<std::vector<HotChange>>(store_, schedule_, [=](Database& database) {
        return ledgers::list_hot_changes(database, sale, after, limit);
    });
}

Task<std::size_t> FaultyOrders::prune_hot_changes(Timestamp older_than, std::size_t limit) {
    return write<std::size_t>(store_, schedule_, "prune", [=](Database& database) {
        return ledgers::prune_hot_changes(database, older_than, limit);
    });
}

Task<OrderLedger::Fenced> FaultyOrders::fence(std::vector<Ticket> tickets) {
    return write<Fenced>(store_, schedule_, "fence",
                         [tickets = std::move(tickets), &news = store_.news](Database& database) {
                             return ledgers::fence_tickets(database, tickets, news);
                         });
}

/// The ledger of one process keeps its name, so this cannot be out of date.
Task<std::string> FaultyOrders::name() {
    co_return store_.read(ledgers::read_ledger_name);
}

Task<std::vector<OrderLedger::HotCopy>> FaultyOrders::hot_copies(Timestamp now) {
    return read<std::vector<HotCopy>>(store_, schedule_, [now](Database& database) {
        return ledgers::read_hot_copies(database, now);
    });
}

Task<std::optional<OrderLedger::HotCopy>> FaultyOrders::hot_copy(SaleId sale) {
    return read<std::optional<HotCopy>>(store_, schedule_, [sale](Database& database) {
        return ledgers::read_hot_copy(database, sale);
    });
}

Task<std::optional<OrderLedger::HotCopy>> FaultyOrders::begin_epoch(SaleId sale, std::int64_t above,
                                                                    Timestamp now) {
    return write<std::optional<HotCopy>>(
        store_, schedule_, "new epoch",
        [sale, above, now, &news = store_.news](Database& database) {
            return ledgers::begin_epoch(database, sale, above, now, news);
        });
}

Task<CatalogLedger::Contents> FaultyCatalog::load() {
    return read<Contents>(store_, schedule_, ledgers::load_contents);
}

Task<Outcome<Created>> FaultyCatalog::add_item(Item, Deed, std::optional<Receipt>) {
    CHECK(false, "the store comes with its item");
}

Task<Outcome<Done>> FaultyCatalog::update_item(Item, Deed) {
    CHECK(false, "the store's item stays as it is");
}

Task<Outcome<Created>> FaultyCatalog::add_sale(Sale sale, Deed deed, std::optional<Receipt>) {
    return write<Outcome<Created>>(
        store_, schedule_, "new sale",
        [sale = std::move(sale), deed = std::move(deed)](Database& database) -> Outcome<Created> {
            auto added = ledgers::insert_sale(database, sale);
            if (!added) return std::unexpected(std::move(added.error()));
            ledgers::add_deed(database, deed);
            return Created{};
        });
}

Task<Outcome<CatalogLedger::SaleChanged>> FaultyCatalog::change_sale(
    SaleId id, DecideSale decide, std::optional<Receipt> receipt) {
    return write<Outcome<SaleChanged>>(
        store_, schedule_, "edit",
        [id, decide = std::move(decide), receipt = std::move(receipt),
         &news = store_.news](Database& database) {
            return ledgers::change_sale(database, id, decide, receipt, news);
        });
}

}  // namespace sluice::simulation
