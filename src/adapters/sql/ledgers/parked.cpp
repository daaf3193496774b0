#include "adapters/sql/ledgers/parked.hpp"

#include <utility>

#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/order_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::ledgers {
namespace {

std::optional<ParkedTicket> find_parked(Database& database, const TicketId& id) {
    return database.row<ParkedRow>(sql::find_parked, id.sale, id.mark).transform(to_parked);
}

std::optional<ParkedTicket> find_parked_or_former(Database& database, const TicketId& id) {
    if (auto parked = find_parked(database, id)) return parked;
    return database.row<ParkedRow>(sql::find_formerly_parked, id.sale, id.mark)
        .transform(to_parked);
}

std::vector<ParkedTicket> list_parked(Database& database, const std::optional<TicketId>& after,
                                      std::size_t most) {
    const auto last = after ? find_parked_or_former(database, *after) : std::nullopt;
    const auto since = last ? last->parked_at : Timestamp::min();
    const auto id = last ? last->ticket.id : TicketId{};
    return database.rows<ParkedRow>(sql::list_parked, since, id.sale, id.mark, most)
        .to_vector(to_parked);
}

}  // namespace

Task<Done> Parked::park(std::vector<ParkedTicket> tickets) {
    return writer_.write<Done>([tickets = std::move(tickets)](Database& database) {
        for (const auto& ticket : tickets) database.run(sql::park_ticket, to_row(ticket));
        return Done{};
    });
}

Task<std::optional<ParkedTicket>> Parked::find(TicketId id) {
    return readers_.read<std::optional<ParkedTicket>>(
        [id](Database& database) { return find_parked(database, id); });
}

Task<std::optional<Ticket>> Parked::find_former(TicketId id) {
    return readers_.read<std::optional<Ticket>>([id](Database& database) {
        return database.row<ParkedRow>(sql::find_formerly_parked, id.sale, id.mark)
            .transform([](ParkedRow row) { return to_parked(std::move(row)).ticket; });
    });
}

Task<std::vector<ParkedTicket>> Parked::list(std::optional<TicketId> after, std::size_t most) {
    return readers_.read<std::vector<ParkedTicket>>(
        [after, most](Database& database) { return list_parked(database, after, most); });
}

Task<std::int64_t> Parked::count() {
    return readers_.read<std::int64_t>(
        [](Database& database) { return database.value<std::int64_t>(sql::count_parked); });
}

Task<Done> Parked::unpark(TicketId id, std::optional<Deed> deed) {
    return writer_.write<Done>([id, deed = std::move(deed)](Database& database) {
        ledgers::unpark(database, id, deed);
        return Done{};
    });
}

void unpark(Database& database, const TicketId& id, const std::optional<Deed>& deed) {
    if (database.run(sql::take_off_parked, id.sale, id.mark) == 0 || !deed) return;
    add_deed(database, *deed);
}

}  // namespace sluice::ledgers
