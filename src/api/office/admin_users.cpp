#include "api/office/admin_users.hpp"

#include <algorithm>
#include <functional>

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "app/catalog/json_view.hpp"

namespace sluice::api {
namespace {

constexpr std::string_view kRoles = "buyer, support, operator, admin";

boost::json::object to_row(const User& user) {
    auto json = to_json(user);
    json["role"] = to_string(user.role);
    json["created_at"] = to_rfc3339(user.created_at);
    return json;
}

}  // namespace

http::Pending AdminUsers::list(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    UserLedger::Wanted wanted{.phone = {}, .role = {}, .before = {}, .limit = page->limit};
    if (page->before) wanted.before = UserId{*page->before};
    if (auto phone = exchange.request.parameter("phone"); !phone.absent())
        wanted.phone = phone.text;
    if (const auto role = exchange.request.parameter("role"); !role.absent()) {
        wanted.role = parse_role(role.text);
        if (!wanted.role) {
            answer(exchange, Refusal{Reason::invalid,
                                     Detail::none,
                                     {{"role", Complaint(Rule::one_of, kRoles)}},
                                     {}});
            return std::nullopt;
        }
    }
    return show(exchange, std::move(wanted));
}

Task<> AdminUsers::show(http::Exchange& exchange, UserLedger::Wanted wanted) {
    const auto limit = wanted.limit++;
    const auto users = co_await find(std::move(wanted));
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(users.size(), limit); ++i)
        rows.push_back(to_row(users[i]));
    boost::json::object json{{"users", std::move(rows)}, {"next_cursor", nullptr}};
    if (users.size() > limit) json["next_cursor"] = users[limit - 1].id.text();
    answer(exchange, 200, json);
}

Task<std::vector<User>> AdminUsers::find(UserLedger::Wanted wanted) {
    const auto spellings =
        wanted.phone ? form_.spellings(*wanted.phone) : std::vector<std::string>{};
    if (spellings.size() < 2) {
        auto users = co_await ledger_.list(std::move(wanted));
        co_return users;
    }
    std::vector<User> found;
    for (const auto& phone : spellings) {
        auto one = wanted;
        one.phone = phone;
        const auto users = co_await ledger_.list(std::move(one));
        found.insert(found.end(), users.begin(), users.end());
    }
    std::ranges::sort(found, std::greater{}, &User::id);
    if (found.size() > wanted.limit) found.resize(wanted.limit);
    co_return found;
}

http::Pending AdminUsers::show_one(http::Exchange& exchange) {
    const auto id = id_in_path<UserId>(exchange);
    if (!id) return std::nullopt;
    return look_up(exchange, *id);
}

Task<> AdminUsers::look_up(http::Exchange& exchange, UserId id) {
    const auto user = co_await ledger_.find(id);
    if (user)
        answer(exchange, 200, to_row(*user));
    else
        exchange.refuse(http::Code::not_found);
}

http::Pending AdminUsers::change_role(http::Exchange& exchange) {
    const auto id = gate::find_id_in_path<UserId>(exchange);
    JsonReader in(exchange);
    const auto role = in.word("role", parse_role, kRoles);
    if (!role) in.complain("role", Rule::missing);
    if (!in.finish()) return std::nullopt;
    if (!id) {
        exchange.refuse(http::Code::not_found);
        return std::nullopt;
    }
    return change(exchange, *id, *role);
}

Task<> AdminUsers::change(http::Exchange& exchange, UserId id, Role role) {
    auto actor = actor_of(exchange);
    const auto user = co_await editor_.change(id, role, std::move(actor), exchange.caller->role);
    if (!user)
        answer(exchange, user.error());
    else
        answer(exchange, 200, to_row(*user));
}

}  // namespace sluice::api
