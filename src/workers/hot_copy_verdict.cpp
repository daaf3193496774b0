#include "workers/hot_copy_verdict.hpp"

#include <algorithm>
#include <map>

#include "base/names.hpp"
#include "workers/hot_copy_difference.hpp"

namespace sluice {
namespace {

using State = HotCopyVerdict::State;

constexpr Names<State::differs> kStates({{State::agrees, "agrees"},
                                         {State::under_way, "under_way"},
                                         {State::missing, "missing"},
                                         {State::other_epoch, "other_epoch"},
                                         {State::other_ledger, "other_ledger"},
                                         {State::differs, "differs"}});

std::string count(std::int64_t number, std::string_view one, std::string_view many) {
    return std::to_string(number) + ' ' + std::string(number == 1 ? one : many);
}

std::int64_t units_of(const std::vector<Ticket>& claims) {
    std::int64_t units = 0;
    for (const auto& claim : claims) units += claim.quantity;
    return units;
}

/// The outbox rows up to what the ledger was read with that the copy lacks.
std::vector<HotChange> lacking(const LedgerView& ledger, std::int64_t applied) {
    std::vector<HotChange> rows;
    for (const auto& row : ledger.rows)
        if (row.seq > applied && row.seq <= ledger.copy.seq) rows.push_back(row);
    return rows;
}

/// How a copy should look that lacks only what is under way.
OrderLedger::HotCopy expected_copy(const LedgerView& ledger, const std::vector<HotChange>& rows) {
    auto expected = ledger.copy;
    std::map<UserId, std::int64_t> units(expected.holdings.begin(), expected.holdings.end());
    for (const auto& row : rows) {
        expected.left -= row.delta_left;
        if (row.buyer) units[*row.buyer] -= row.delta_units;
    }
    for (const auto& claim : ledger.not_committed) {
        expected.left -= claim.quantity;
        units[claim.buyer] += claim.quantity;
    }
    expected.holdings.assign(units.begin(), units.end());
    return expected;
}

/// Why the outbox cannot bring the copy in line with the ledger; nullopt when it can.
std::optional<std::string> gap(const LedgerView& ledger, const std::vector<HotChange>& rows,
                               std::int64_t applied) {
    if (applied > ledger.copy.seq)
        return "it has row " + std::to_string(applied) +
               " of the hot outbox, and the ledger ends at " + std::to_string(ledger.copy.seq);
    if (applied + static_cast<std::int64_t>(rows.size()) != ledger.copy.seq)
        return "it ends at row " + std::to_string(applied) +
               " of the hot outbox, and rows after it are no longer kept; the ledger is at " +
               std::to_string(ledger.copy.seq);
    return std::nullopt;
}

std::string under_way(std::size_t rows, std::int64_t units) {
    std::string text;
    if (rows > 0)
        text = count(static_cast<std::int64_t>(rows), "row", "rows") +
               " of the hot outbox not applied yet, which a server does within a second or two";
    if (units == 0) return text;
    if (!text.empty()) text += "; ";
    return text + count(units, "unit", "units") +
           " in open claims, which are settled, or given back after ten seconds";
}

/// Compared with what the ledger had, as if no open claim were committed.
std::int64_t left_by(const OpenClaims& hot, const LedgerView& ledger) {
    auto left = hot.left + units_of(hot.claims);
    for (const auto& row : ledger.rows) {
        if (row.seq > hot.applied && row.seq <= ledger.copy.seq) left += row.delta_left;
        if (row.seq > ledger.copy.seq && row.seq <= hot.applied) left -= row.delta_left;
    }
    return left;
}

}  // namespace

std::string_view name_of(State state) {
    return kStates.text(state);
}

HotCopyVerdict judge_at_rest(const StockGate::Snapshot& hot, const LedgerView& ledger) {
    const auto sale = ledger.copy.filling.sale;
    const auto rows = lacking(ledger, hot.applied);
    if (auto reason = gap(ledger, rows, hot.applied))
        return {.sale = sale, .state = State::differs, .detail = std::move(*reason)};
    const auto differences = find_differences(hot, expected_copy(ledger, rows));
    if (!differences.empty()) {
        auto detail = text_of(differences);
        if (!rows.empty() || hot.open > 0)
            detail += " (when what is under way is taken into account)";
        return {.sale = sale, .state = State::differs, .detail = std::move(detail)};
    }
    if (rows.empty() && hot.open == 0) return {.sale = sale, .state = State::agrees, .detail = {}};
    return {.sale = sale, .state = State::under_way, .detail = under_way(rows.size(), hot.open)};
}

HotCopyVerdict judge_while_selling(const OpenClaims& before, const LedgerView& ledger,
                                   const OpenClaims& after) {
    const auto sale = ledger.copy.filling.sale;
    const auto committed = units_of(after.claims) - units_of(ledger.not_committed);
    const auto most = left_by(before, ledger);
    const auto least = left_by(after, ledger) - committed;
    const auto left = ledger.copy.left;
    const auto bounds = "left is between " + std::to_string(least) + " and " +
                        std::to_string(most) + " by the copy, in the ledger " +
                        std::to_string(left);
    if (left < least || left > most)
        return {.sale = sale, .state = State::differs, .detail = bounds};
    return {.sale = sale,
            .state = State::under_way,
            .detail = "it sells too fast to be compared buyer by buyer; " + bounds};
}

}  // namespace sluice
