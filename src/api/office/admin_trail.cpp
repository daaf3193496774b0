#include "api/office/admin_trail.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "api/answers.hpp"

namespace sluice::api {
namespace {

constexpr std::string_view kCommandLine = "command_line";

boost::json::value parse_or_null(const std::string& text) {
    if (text.empty()) return nullptr;
    return boost::json::parse(text);
}

boost::json::object actor_of(const TrailLedger::Entry& entry) {
    const auto& deed = entry.deed;
    if (deed.os_user) return {{"kind", kCommandLine}, {"id", nullptr}, {"name", *deed.os_user}};
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

constexpr std::size_t kMostText = 200;

/// Texts are compared as they are; a text that no deed has finds nothing.
std::optional<std::string> text_of(const http::Exchange& exchange, std::string_view name,
                                   std::vector<FieldError>& errors) {
    auto given = exchange.request.parameter(name);
    if (given.absent()) return std::nullopt;
    if (given.text.size() > kMostText)
        errors.push_back({std::string(name), {Rule::most_bytes, kMostText}});
    return std::move(given.text);
}

std::optional<Timestamp> time_of(const http::Exchange& exchange, std::string_view name,
                                 std::vector<FieldError>& errors) {
    const auto given = exchange.request.parameter(name);
    if (given.absent()) return std::nullopt;
    const auto time = parse_rfc3339(given.text);
    if (!time)
        errors.push_back({std::string(name), Complaint(Rule::not_time, "2026-11-11T20:00:00Z")});
    return time;
}

/// The `?action=`, `?actor=`, `?subject=`, `?from=` and `?to=` of a list. Answers with a problem
/// when they are not valid.
std::optional<TrailLedger::Wanted> wanted_deeds(http::Exchange& exchange) {
    std::vector<FieldError> errors;
    TrailLedger::Wanted wanted;
    wanted.action = text_of(exchange, "action", errors);
    wanted.subject = text_of(exchange, "subject", errors);
    wanted.from = time_of(exchange, "from", errors);
    wanted.until = time_of(exchange, "to", errors);
    if (const auto actor = exchange.request.parameter("actor"); !actor.absent()) {
        wanted.by_command_line = actor.text == kCommandLine;
        if (!wanted.by_command_line) wanted.actor = UserId::parse(actor.text);
        if (!wanted.by_command_line && !wanted.actor) errors.push_back({"actor", Rule::not_id});
    }
    if (errors.empty()) return wanted;
    http::write_problem(exchange.response, http::Code::invalid, exchange.context, {}, errors);
    return std::nullopt;
}

}  // namespace

http::Pending AdminTrail::list(http::Exchange& exchange) {
    const auto page = page_of(exchange);
    if (!page) return std::nullopt;
    auto wanted = wanted_deeds(exchange);
    if (!wanted) return std::nullopt;
    if (page->before) wanted->before = DeedId{*page->before};
    return show(exchange, std::move(*wanted), page->limit);
}

Task<> AdminTrail::show(http::Exchange& exchange, TrailLedger::Wanted wanted, std::size_t limit) {
    const auto entries = co_await ledger_.list(std::move(wanted), limit + 1);
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(entries.size(), limit); ++i)
        rows.push_back(to_json(entries[i]));
    boost::json::object json{{"entries", std::move(rows)}, {"next_cursor", nullptr}};
    if (entries.size() > limit) json["next_cursor"] = entries[limit - 1].deed.id.text();
    answer(exchange, 200, json);
}

}  // namespace sluice::api
