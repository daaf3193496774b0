#include "api/shop/stream_handler.hpp"

#include <algorithm>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "api/shop/buying.hpp"
#include "api/shop/orders.hpp"
#include "api/strict_json.hpp"

namespace sluice::api {
namespace {

using http::Code;

constexpr std::array<std::string_view, 2> kFields{"watch", "unwatch"};

bool is_list_of_texts(const boost::json::value& value) {
    return value.is_array() && std::ranges::all_of(value.get_array(), [](const auto& each) {
               return each.is_string();
           });
}

/// Reads lists of sales to watch and to unwatch: at least one list, and nothing else.
bool is_understood(const boost::json::object& message) {
    return !message.empty() && std::ranges::all_of(message, [](const auto& member) {
        return std::ranges::find(kFields, std::string_view(member.key())) != kFields.end() &&
               is_list_of_texts(member.value());
    });
}

boost::json::object typed(std::string_view type, boost::json::object fields) {
    boost::json::object message{{"type", type}};
    for (auto& field : fields) message.insert_or_assign(field.key(), std::move(field.value()));
    return message;
}

}  // namespace

StreamHandler::StreamHandler(http::WebSocketSender& socket, StreamHub::Reservation reservation,
                             const Parts& parts, const SessionKey& session, http::Language language)
    : socket_(socket), parts_(parts), session_(session), language_(language) {
    parts_.counts.begun.fetch_add(1);
    seat_.emplace(std::move(reservation), *this);
}

void StreamHandler::end(std::string_view reason) {
    seat_.reset();
    parts_.counts.note_end(reason);
}

void StreamHandler::hear(std::string_view text) {
    parts_.counts.heard.fetch_add(1);
    // A client that sends something uses its session. An open stream alone does not.
    parts_.sessions.touch(session_, parts_.clock.now());
    const auto parsed = parse_strict_json(text);
    if (!parsed || !parsed->is_object())
        return complain(Code::malformed, Remark::message_not_object);
    const auto& message = parsed->get_object();
    if (!is_understood(message)) return complain(Code::invalid, Remark::message_not_understood);
    if (const auto* ids = message.if_contains("unwatch")) unwatch(ids->get_array());
    if (const auto* ids = message.if_contains("watch")) watch(ids->get_array());
}

void StreamHandler::watch(const boost::json::array& ids) {
    boost::json::array unknown, too_many;
    for (const auto& text : ids) {
        const auto id = SaleId::parse(std::string_view(text.get_string()));
        const auto watched = id ? seat_->watch(*id) : StreamHub::Seat::Watched::no_such_sale;
        if (watched == StreamHub::Seat::Watched::no_such_sale) unknown.push_back(text);
        if (watched == StreamHub::Seat::Watched::too_many) too_many.push_back(text);
    }
    if (!unknown.empty()) complain(Code::not_found, Remark::no_such_sales, std::move(unknown));
    if (!too_many.empty()) complain(Code::invalid, Remark::too_many_watched, std::move(too_many));
}

void StreamHandler::unwatch(const boost::json::array& ids) {
    for (const auto& text : ids)
        if (const auto id = SaleId::parse(std::string_view(text.get_string()))) seat_->unwatch(*id);
}

void StreamHandler::hear(const BuyerNews& news) {
    if (const auto* order = std::get_if<Order>(&news.what))
        send(typed("order", order_json(*order, parts_.catalog)));
    else
        send(typed("ticket", ticket_json(std::get<TicketRecord>(news.what))));
}

void StreamHandler::hear(SaleId sale, std::shared_ptr<const std::string> words) {
    parts_.counts.sent.fetch_add(1);
    socket_.send(std::move(words), sale.value);
}

void StreamHandler::dismiss(Dismissal why) {
    socket_.part(why == Dismissal::blocked ? http::kBlocked : http::kSessionEnded);
}

void StreamHandler::complain(http::Code code, Remark remark, boost::json::array ids) {
    boost::json::object message{{"type", "error"},
                                {"code", http::name_of(code)},
                                {"detail", wording_of(remark, language_)}};
    if (!ids.empty()) message["ids"] = std::move(ids);
    send(message);
}

void StreamHandler::send(const boost::json::object& message) {
    parts_.counts.sent.fetch_add(1);
    socket_.send(std::make_shared<const std::string>(boost::json::serialize(message)));
}

}  // namespace sluice::api
