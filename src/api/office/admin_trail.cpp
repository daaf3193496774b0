#include "api/office/admin_trail.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "api/answers.hpp"

namespace sluice::api {
namespace {

boost::json::value parse_or_null(const std::string& text) {
    if (text.empty()) return nullptr;
    return boost::json::parse(text);
}

boost::json::object actor_of(const TrailLedger::Entry& entry) {
    const auto& deed = entry.deed;
    if (deed.os_user) return {{"kind", "command_line"}, {"id", nullptr}, {"name", *deed.os_user}};
    return {{"kind", "user"}, {"id", deed.actor->text()}, {"name", entry.actor_name}};
}

boost::json::object to_json(const TrailLedger::Entry& entry) {
    const auto& deed = entry.deed;
    return {{"id", deed.id.text()},
            {"at", to_rfc3339(deed.at)},
            {"actor", actor_of(entry)},
            {"address", deed.address},
            {"request_id", deed.request_id},
            {"action", deed.action},
            {"subject", deed.subject},
            {"before", parse_or_null(deed.before)},
            {"after", parse_or_null(deed.after)}};
}

}  // namespace

http::Pending AdminTrail::list(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    const auto before = page->before ? std::optional(DeedId{*page->before}) : std::nullopt;
    return show(exchange, before, page->limit);
}

Task<> AdminTrail::show(http::Exchange& exchange, std::optional<DeedId> before, std::size_t limit) {
    const auto entries = co_await ledger_.list(before, limit + 1);
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(entries.size(), limit); ++i)
        rows.push_back(to_json(entries[i]));
    boost::json::object json{{"entries", std::move(rows)}, {"next_cursor", nullptr}};
    if (entries.size() > limit) json["next_cursor"] = entries[limit - 1].deed.id.text();
    answer(exchange, 200, json);
}

}  // namespace sluice::api
