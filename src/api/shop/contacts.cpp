#include "api/shop/contacts.hpp"

#include "api/answers.hpp"
#include "api/in_path.hpp"

namespace sluice::api {
namespace {

/// What is left out is empty.
std::optional<Contact> read_contact(http::Exchange& exchange) {
    JsonReader in(exchange);
    Contact contact;
    for (std::size_t i = 0; i < kContactFields; ++i) {
        const auto field = static_cast<ContactField>(i);
        if (auto given = in.text(to_string(field))) field_of(contact, field) = std::move(*given);
    }
    if (!in.finish()) return std::nullopt;
    return contact;
}

}  // namespace

http::Pending Contacts::show(http::Exchange& exchange) {
    return describe(exchange);
}

Task<> Contacts::describe(http::Exchange& exchange) {
    const auto asked = co_await book_.asked();
    const auto stored = co_await book_.stored(exchange.caller->id);
    answer(exchange, 200, {{"fields", to_json(asked)}, {"contact", contact_json(stored)}});
}

http::Pending Contacts::put(http::Exchange& exchange) {
    auto contact = read_contact(exchange);
    if (!contact) return std::nullopt;
    return store(exchange, std::move(*contact));
}

Task<> Contacts::store(http::Exchange& exchange, Contact contact) {
    const auto stored = co_await book_.store(exchange.caller->id, std::move(contact));
    if (!stored) {
        answer(exchange, stored.error());
        co_return;
    }
    co_await describe(exchange);
}

http::Pending Contacts::erase(http::Exchange& exchange) {
    const auto given = exchange.request.parameter("orders");
    if (!given.absent() && given.text != "finished") {
        http::write_problem(exchange.response, http::Code::invalid, exchange.context, {},
                            {{"orders", Complaint(Rule::one_of, "finished")}});
        return std::nullopt;
    }
    return carry_out_erase(exchange, !given.absent());
}

Task<> Contacts::carry_out_erase(http::Exchange& exchange, bool copies) {
    const auto erased = co_await book_.erase(exchange.caller->id, copies);
    answer(exchange, 200,
           {{"stored", erased.stored}, {"orders", erased.copies}, {"orders_kept", erased.kept}});
}

http::Pending Contacts::show_of_order(http::Exchange& exchange) {
    const auto order = id_in_path<OrderId>(exchange);
    if (!order) return std::nullopt;
    return describe_of_order(exchange, *order);
}

Task<> Contacts::describe_of_order(http::Exchange& exchange, OrderId order) {
    const auto of_order = co_await book_.of_order(order, exchange.caller->id);
    if (!of_order) {
        exchange.refuse(http::Code::not_found);
        co_return;
    }
    const auto asked = co_await book_.asked();
    const auto stored = co_await book_.stored(exchange.caller->id);
    answer(exchange, 200,
           {{"fields", to_json(asked)},
            {"contact", contact_json(of_order->contact)},
            {"stored", contact_json(stored)},
            {"open", !of_order->fixed}});
}

http::Pending Contacts::attach(http::Exchange& exchange) {
    const auto order = id_in_path<OrderId>(exchange);
    if (!order) return std::nullopt;
    auto contact = read_contact(exchange);
    if (!contact) return std::nullopt;
    return carry_out_attach(exchange, *order, std::move(*contact));
}

Task<> Contacts::carry_out_attach(http::Exchange& exchange, OrderId order, Contact contact) {
    const auto attached = co_await book_.attach(order, exchange.caller->id, std::move(contact));
    if (!attached) {
        answer(exchange, attached.error());
        co_return;
    }
    co_await describe_of_order(exchange, order);
}

boost::json::object to_json(const Contact& contact) {
    boost::json::object json;
    for (std::size_t i = 0; i < kContactFields; ++i) {
        const auto field = static_cast<ContactField>(i);
        json[to_string(field)] = field_of(contact, field);
    }
    return json;
}

boost::json::value contact_json(const std::optional<Contact>& contact) {
    if (!contact) return nullptr;
    return to_json(*contact);
}

boost::json::object to_json(const AskedFields& asked) {
    boost::json::object json;
    for (std::size_t i = 0; i < kContactFields; ++i)
        json[to_string(static_cast<ContactField>(i))] = {
            {"asked", to_string(asked[i])}, {"most_characters", kMaxContactLengths[i]}};
    return json;
}

}  // namespace sluice::api
