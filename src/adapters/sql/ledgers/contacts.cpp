#include "adapters/sql/ledgers/contacts.hpp"

#include <utility>

#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/deliveries.hpp"
#include "adapters/sql/ledgers/orders.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "domain/deed_details.hpp"

namespace sluice::ledgers {
namespace {

std::optional<Order> find_anywhere(Database& database, OrderId id, std::optional<UserId> buyer) {
    return find_in_both(database, Sought{.from = id},
                        [&](Database& one) { return find_order(one, id, buyer); });
}

std::optional<ContactLedger::OfOrder> find_of_order(Database& database, OrderId id, UserId buyer) {
    const auto order = find_anywhere(database, id, buyer);
    if (!order) return std::nullopt;
    return ContactLedger::OfOrder{
        .contact = database.row<Contact>(sql::find_order_contact, id),
        .fixed = why_contact_fixed(order->state, find_delivery(database, id).state)};
}

Outcome<Done> attach_to(Database& database, OrderId id, UserId buyer, const Contact& contact,
                        Timestamp now) {
    const auto order = find_anywhere(database, id, buyer);
    if (!order) return refuse(Reason::not_found);
    if (auto no = why_contact_fixed(order->state, find_delivery(database, id).state))
        return std::unexpected(std::move(*no));
    database.run(sql::put_order_contact, id, buyer, contact, now);
    return Done{};
}

bool is_needed(Database& database, OrderId id) {
    const auto order = find_anywhere(database, id, std::nullopt);
    return order && !is_done_with_contact(order->state, find_delivery(database, id).state);
}

void erase_copies(Database& database, const ContactLedger::EraseWish& wish,
                  ContactLedger::Erased& erased) {
    const auto orders =
        database.rows<OrderId>(sql::list_order_contacts, wish.buyer, wish.after, wish.limit)
            .to_vector();
    for (const auto id : orders) {
        erased.last = id;
        if (!wish.all && is_needed(database, id))
            ++erased.kept;
        else
            erased.copies += database.run(sql::erase_order_contact, id);
    }
    erased.more = orders.size() == wish.limit;
}

ContactLedger::Erased erase_in(Database& database, const ContactLedger::EraseWish& wish,
                               std::optional<Deed> deed) {
    ContactLedger::Erased erased{.last = wish.after};
    erased.stored = database.run(sql::erase_contact, wish.buyer) > 0;
    if (wish.copies) erase_copies(database, wish, erased);
    if (deed && (erased.stored || erased.copies > 0)) {
        deed->after = deed_details(ErasedContacts{erased.stored, erased.copies});
        add_deed(database, *deed);
    }
    return erased;
}

}  // namespace

Task<std::optional<Contact>> Contacts::find(UserId buyer) {
    return readers_.read<std::optional<Contact>>(
        [buyer](Database& database) { return database.row<Contact>(sql::find_contact, buyer); });
}

Task<Done> Contacts::put(UserId buyer, Contact contact, Timestamp now) {
    return writer_.write<Done>([buyer, contact = std::move(contact), now](Database& database) {
        database.run(sql::put_contact, buyer, contact, now);
        return Done{};
    });
}

Task<std::optional<ContactLedger::OfOrder>> Contacts::of_order(OrderId order, UserId buyer) {
    return readers_.read<std::optional<OfOrder>>(
        [order, buyer](Database& database) { return find_of_order(database, order, buyer); });
}

Task<Outcome<Done>> Contacts::attach(OrderId order, UserId buyer, Contact contact, Timestamp now) {
    return writer_.write<Outcome<Done>>(
        [order, buyer, contact = std::move(contact), now](Database& database) {
            return attach_to(database, order, buyer, contact, now);
        });
}

Task<std::map<OrderId, Contact>> Contacts::of_orders(std::vector<OrderId> orders) {
    return readers_.read<std::map<OrderId, Contact>>(
        [orders = std::move(orders)](Database& database) {
            std::map<OrderId, Contact> found;
            for (const auto id : orders)
                if (auto contact = database.row<Contact>(sql::find_order_contact, id))
                    found.emplace(id, std::move(*contact));
            return found;
        });
}

Task<ContactLedger::Erased> Contacts::erase(EraseWish wish, std::optional<Deed> deed) {
    return writer_.write<Erased>([wish, deed = std::move(deed)](Database& database) {
        return erase_in(database, wish, deed);
    });
}

}  // namespace sluice::ledgers
