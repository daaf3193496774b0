#include "api/shop/my_data.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>

#include "api/answers.hpp"
#include "api/shop/contacts.hpp"
#include "api/shop/orders.hpp"

namespace sluice::api {
namespace {

constexpr std::size_t kPage = 100;

/// A page of orders, with what belongs to each of them.
struct OrdersOfUser {
    std::vector<Order> orders;
    std::map<OrderId, OrderDelivery> deliveries;
    std::map<OrderId, Contact> contacts;
};

void describe(http::Exchange& exchange) {
    exchange.response.content_type = "application/json";
    exchange.response.add_header("Content-Disposition", "attachment; filename=\"my-data.json\"");
}

class Pages {
  public:
    Pages(const MyData::Parts& parts, UserId user) : parts_(parts), user_(user) {}

    /// Called before the answer begins, while an outage can still be answered with a problem.
    Task<bool> read_head() {
        const auto user = co_await parts_.users.find(user_);
        if (!user) co_return false;
        const auto contact = co_await parts_.contacts.find(user_);
        const boost::json::object account{{"id", user->id.text()},
                                          {"phone", user->phone},
                                          {"name", user->name},
                                          {"role", to_string(user->role)},
                                          {"created_at", to_rfc3339(user->created_at)}};
        head_ = "{\"account\":" + boost::json::serialize(account) +
                ",\"contact\":" + boost::json::serialize(contact_json(contact)) + ",\"orders\":[";
        co_await read_page();
        co_return true;
    }

    Task<bool> next(std::string& out) {
        if (head_.empty())
            co_await read_page();
        else
            out += std::exchange(head_, {});
        append(out);
        const bool more = page_.orders.size() == kPage;
        if (!more) out += "]}";
        co_return more;
    }

  private:
    Task<> read_page() {
        page_.orders = co_await parts_.orders.orders(user_, before_, kPage);
        if (page_.orders.empty()) co_return;
        before_ = page_.orders.back().id;
        std::vector<OrderId> ids;
        for (const auto& order : page_.orders) ids.push_back(order.id);
        auto same = ids;
        page_.deliveries = co_await parts_.deliveries.find(std::move(ids));
        page_.contacts = co_await parts_.contacts.of_orders(std::move(same));
    }

    void append(std::string& out) {
        for (const auto& order : page_.orders) {
            auto json = order_json(order, parts_.catalog);
            add_delivery(json, page_.deliveries[order.id]);
            const auto contact = page_.contacts.find(order.id);
            json["contact"] = nullptr;
            if (contact != page_.contacts.end()) json["contact"] = to_json(contact->second);
            if (std::exchange(any_, true)) out += ',';
            out += boost::json::serialize(json);
        }
    }

    const MyData::Parts parts_;
    const UserId user_;
    std::string head_;
    OrdersOfUser page_;
    std::optional<OrderId> before_;
    bool any_ = false;
};

}  // namespace

http::Pending MyData::download(http::Exchange& exchange) {
    if (exchange.request.method != http::Method::head) return begin(exchange);
    describe(exchange);
    exchange.response.send_in_pieces({});
    return std::nullopt;
}

Task<> MyData::begin(http::Exchange& exchange) {
    auto pages = std::make_unique<Pages>(parts_, exchange.caller->id);
    const bool known = co_await pages->read_head();
    if (!known) {
        exchange.refuse(http::Code::not_found);
        co_return;
    }
    describe(exchange);
    exchange.response.send_in_pieces(
        [pages = std::move(pages)](std::string& out) { return pages->next(out); });
}

}  // namespace sluice::api
