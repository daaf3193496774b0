#include "domain/deed_details.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace sluice {

namespace json = boost::json;

std::string deed_details(OrderState state) {
    return json::serialize(json::object{{"state", to_string(state)}});
}

std::string deed_details(const Delivery& delivery) {
    return json::serialize(
        json::object{{"state", to_string(delivery.state)}, {"attempts", delivery.attempts}});
}

std::string deed_details(const OrderDelivery& delivery) {
    return json::serialize(json::object{{"state", to_string(delivery.state)},
                                        {"carrier", delivery.carrier},
                                        {"number", delivery.number}});
}

std::string deed_details(const SentBack& money) {
    return json::serialize(json::object{{"refund_id", money.refund.text()},
                                        {"provider", money.provider},
                                        {"charge_id", money.charge_ref},
                                        {"amount_cents", money.amount_cents},
                                        {"currency", money.currency}});
}

std::string deed_details(const ParkedNote& parked) {
    return json::serialize(json::object{{"state", "parked"},
                                        {"buyer_id", parked.buyer.text()},
                                        {"quantity", parked.quantity},
                                        {"reason", parked.reason},
                                        {"tries", parked.tries}});
}

std::string deed_details(TicketState state) {
    return json::serialize(json::object{{"state", to_string(state)}});
}

std::string deed_details_of_lost_ticket() {
    return json::serialize(json::object{{"state", "lost"}});
}

std::string deed_details(const ErasedContacts& erased) {
    return json::serialize(json::object{{"stored", erased.stored}, {"orders", erased.orders}});
}

std::string deed_details(const BlockSubject& whose, const Held& held) {
    return json::serialize(json::object{
        {"subject", to_string(whose)}, {"orders", held.orders}, {"units", held.units}});
}

}  // namespace sluice
