#include "api/shop/stream_handler.hpp"

#include <algorithm>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "api/shop/buying.hpp"
#include "api/shop/orders.hpp"
#include "api/strict_json.hpp"

namespace sluice::api {
namespace {

constexpr std::array<std::string_view, 2> kFields{"watch", "unwatch"};

bool is_list_of_texts(const boost::json::value& value) {
    return value.is_array() && std::ranges::all_of(value.get_array(), [](const auto& each) {
               return each.is_string();
           });
}

/// Lists of sales to watch and not to watch any more, at least one of them, and nothing else.
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

void StreamHandler::begin(http::WebSocket& socket) {
    socket_ = &socket;
    counts_.begun.fetch_add(1);
    seat_->listen(*this);
}

void StreamHandler::end(std::string_view reason) {
    seat_.reset();
    counts_.note_end(reason);
}

void StreamHandler::hear(std::string_view text) {
    counts_.heard.fetch_add(1);
    // Whoever says something is using their session; whoever is merely there is not.
    sessions_.touch(session_, clock_.now());
    const auto parsed = parse_strict_json(text);
    if (!parsed || !parsed->is_object()) return complain(Mistake::no_object);
    const auto& message = parsed->get_object();
    if (!is_understood(message)) return complain(Mistake::not_understood);
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
    if (!unknown.empty()) complain(Mistake::no_such_sale, std::move(unknown));
    if (!too_many.empty()) complain(Mistake::too_many, std::move(too_many));
}

void StreamHandler::unwatch(const boost::json::array& ids) {
    for (const auto& text : ids)
        if (const auto id = SaleId::parse(std::string_view(text.get_string()))) seat_->unwatch(*id);
}

void StreamHandler::hear(const BuyerNews& news) {
    if (const auto* order = std::get_if<Order>(&news.what))
        send(typed("order", order_json(*order, catalog_)));
    else
        send(typed("ticket", ticket_json(std::get<TicketRecord>(news.what))));
}

void StreamHandler::hear(SaleId sale, std::shared_ptr<const std::string> words) {
    counts_.sent.fetch_add(1);
    socket_->send(std::move(words), sale.value);
}

void StreamHandler::dismiss(Dismissal why) {
    socket_->part(why == Dismissal::blocked ? http::kBlocked : http::kSessionEnded);
}

void StreamHandler::complain(Mistake mistake, boost::json::array ids) {
    struct Wording {
        std::string_view code, en, zh;
    };
    static constexpr std::array<Wording, 4> kWordings{
        {{"malformed", "A message is one JSON object.", "消息必须是一个 JSON 对象。"},
         {"invalid", "A message has lists of sale ids as watch, unwatch or both, and nothing else.",
          "消息只能包含 watch 和 unwatch，且均为活动编号的列表。"},
         {"not_found", "There are no such sales.", "没有这些活动。"},
         {"invalid", "This stream watches as many sales as it may: unwatch some first.",
          "该连接关注的活动已达上限：请先取消部分关注。"}}};
    const auto& wording = kWordings[static_cast<std::size_t>(mistake)];
    boost::json::object message{
        {"type", "error"},
        {"code", wording.code},
        {"detail", language_ == http::Language::zh ? wording.zh : wording.en}};
    if (!ids.empty()) message["ids"] = std::move(ids);
    send(message);
}

void StreamHandler::send(const boost::json::object& message) {
    counts_.sent.fetch_add(1);
    socket_->send(std::make_shared<const std::string>(boost::json::serialize(message)));
}

}  // namespace sluice::api
