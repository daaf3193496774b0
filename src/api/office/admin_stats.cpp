#include "api/office/admin_stats.hpp"

#include <charconv>

#include <boost/json/array.hpp>

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "app/catalog/json_view.hpp"
#include "base/names.hpp"

namespace sluice::api {
namespace {

boost::json::object to_json(const Funnel& funnel) {
    boost::json::object refusals;
    for (const auto& [code, count] : funnel.refusals) refusals[code] = count;
    return {{"visits", funnel.visits},
            {"challenges", funnel.challenges},
            {"passes", funnel.passes},
            {"attempts", funnel.attempts},
            {"refusals", refusals},
            {"claims", funnel.claims},
            {"orders", funnel.orders.orders},
            {"paid", funnel.orders.paid},
            {"expired", funnel.orders.expired}};
}

double milliseconds(std::chrono::microseconds duration) {
    return static_cast<double>(duration.count()) / 1'000;
}

boost::json::object to_json(const StatsPoint& point) {
    return {{"at", to_rfc3339(point.at)},
            {"funnel", to_json(point.funnel)},
            {"stock", sluice::to_json(point.stock)},
            {"backlog", point.backlog},
            {"latency",
             {{"p50_ms", milliseconds(point.latency.p50)},
              {"p90_ms", milliseconds(point.latency.p90)},
              {"p99_ms", milliseconds(point.latency.p99)},
              {"p999_ms", milliseconds(point.latency.p999)}}}};
}

using CopyState = HotCopyFinding::State;
constexpr Names<CopyState::drifting> kCopyStates({{CopyState::none, "none"},
                                                  {CopyState::cold, "cold"},
                                                  {CopyState::warm, "warm"},
                                                  {CopyState::drifting, "drifting"}});

boost::json::value to_json(const std::optional<Timestamp>& at) {
    if (!at) return nullptr;
    return boost::json::value(to_rfc3339(*at));
}

boost::json::object to_json(const HotCopyFinding& finding) {
    boost::json::object json{{"state", kCopyStates.text(finding.state)},
                             {"epoch", finding.epoch},
                             {"cold_since", to_json(finding.cold_since)},
                             {"compared_at", to_json(finding.compared_at)},
                             {"drifts", finding.drifts},
                             {"last_drift", nullptr}};
    if (finding.drift)
        json["last_drift"] = {{"seen_at", to_rfc3339(finding.drift->seen_at)},
                              {"difference", text_of(finding.drift->differences)}};
    return json;
}

std::optional<Timestamp> instant(const http::Request& request, std::string_view name,
                                 std::vector<FieldError>& errors) {
    const auto given = request.parameter(name);
    if (given.absent()) return std::nullopt;
    const auto parsed = parse_rfc3339(given.text);
    if (!parsed)
        errors.push_back({std::string(name), Complaint(Rule::not_time, "2026-11-11T20:00:00Z")});
    return parsed;
}

std::size_t limit_of(const http::Request& request, std::vector<FieldError>& errors) {
    std::size_t limit = AdminStats::kMostPoints;
    const auto given = request.parameter("limit");
    if (given.absent()) return limit;
    const auto* last = given.text.data() + given.text.size();
    const auto [end, error] = std::from_chars(given.text.data(), last, limit);
    if (error != std::errc{} || end != last || limit < 1 || limit > AdminStats::kMostPoints)
        errors.push_back({"limit", Complaint(Rule::whole_number_from_to, 1, 3600)});
    return limit;
}

/// The `?resolution=&from=&to=` of a history; by default all that is kept.
StatsLedger::Stretch stretch_of(const http::Request& request, Timestamp now,
                                std::vector<FieldError>& errors) {
    StatsLedger::Stretch stretch;
    const auto resolution = request.parameter("resolution");
    if (resolution.text == "minute")
        stretch.resolution = Resolution::minute;
    else if (!resolution.absent() && resolution.text != "second")
        errors.push_back({"resolution", Complaint(Rule::one_of, "second, minute")});
    stretch.from = instant(request, "from", errors).value_or(now - life_of(stretch.resolution));
    stretch.to = instant(request, "to", errors).value_or(now + std::chrono::seconds{1});
    if (errors.empty() && stretch.from >= stretch.to)
        errors.push_back({"to", Rule::not_later_than_from});
    return stretch;
}

}  // namespace

http::Pending AdminStats::show(http::Exchange& exchange) {
    auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    return answer_live(exchange, std::move(sale));
}

http::Pending AdminStats::show_history(http::Exchange& exchange) {
    std::vector<FieldError> errors;
    auto stretch = stretch_of(exchange.request, clock_.now(), errors);
    const auto limit = limit_of(exchange.request, errors);
    if (!errors.empty()) {
        http::write_problem(exchange.response, http::Code::invalid, exchange.context, {}, errors);
        return std::nullopt;
    }
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    stretch.sale = sale->sale.id;
    return answer_history(exchange, stretch, limit);
}

Task<> AdminStats::answer_live(http::Exchange& exchange,
                               std::shared_ptr<const DisplayedSale> sale) {
    const auto point = co_await stats_.show(sale);
    auto json = to_json(point);
    json["sale_id"] = sale->sale.id.text();
    json["hot_copy"] = to_json(hot_copies_(sale->sale.id));
    answer(exchange, 200, json);
}

Task<> AdminStats::answer_history(http::Exchange& exchange, StatsLedger::Stretch stretch,
                                  std::size_t limit) {
    const auto history = co_await stats_.history(stretch, limit + 1);
    const auto& points = history.points;
    boost::json::array rows;
    for (std::size_t i = 0; i < std::min(points.size(), limit); ++i)
        rows.push_back(to_json(points[i]));
    const bool second = stretch.resolution == Resolution::second;
    boost::json::object json{{"sale_id", stretch.sale.text()},
                             {"resolution", second ? "second" : "minute"},
                             {"points", std::move(rows)},
                             {"total", to_json(history.total)},
                             {"next_from", nullptr}};
    if (points.size() > limit) json["next_from"] = to_rfc3339(points[limit].at);
    answer(exchange, 200, json);
}

}  // namespace sluice::api
