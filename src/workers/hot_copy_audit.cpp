#include "workers/hot_copy_audit.hpp"

#include <algorithm>

namespace sluice {
namespace {

using State = HotCopyVerdict::State;

constexpr const char* kFilledSoon = "; nothing can be sold until a running server has filled it";

HotCopyVerdict missing(SaleId sale) {
    return {.sale = sale,
            .state = State::missing,
            .detail = std::string("there is no hot copy, or not all of it") + kFilledSoon};
}

/// Two states of the same sale. Rows are numbered, and what is left falls only without a row; so if
/// both are equal, nothing has changed in between.
bool is_unchanged(const OrderLedger::HotCopy& a, const OrderLedger::HotCopy& b) {
    return a.filling == b.filling && a.left == b.left && a.seq == b.seq;
}

/// nullopt when copy and ledger can be compared.
std::optional<HotCopyVerdict> stranger(const OpenClaims& hot, const OrderLedger::HotCopy& ledger) {
    const auto& [sale, epoch, name] = ledger.filling;
    if (hot.ledger != name)
        return HotCopyVerdict{
            .sale = sale,
            .state = State::other_ledger,
            .detail = std::string("the copy is of another ledger, or of this one before it was "
                                  "restored") +
                      kFilledSoon};
    if (hot.epoch != epoch)
        return HotCopyVerdict{.sale = sale,
                              .state = State::other_epoch,
                              .detail = "the copy is of epoch " + std::to_string(hot.epoch) +
                                        ", the ledger of " + std::to_string(epoch) + kFilledSoon};
    return std::nullopt;
}

}  // namespace

Task<std::vector<HotCopyVerdict>> HotCopyAudit::look_at_all(std::set<SaleId> live) {
    const auto copies = co_await gate_.open_copies();
    for (const auto& copy : copies) live.insert(copy.filling.sale);
    std::vector<HotCopyVerdict> verdicts;
    for (const auto sale : live) {
        auto verdict = co_await look(sale);
        verdicts.push_back(std::move(verdict));
    }
    co_return verdicts;
}

Task<HotCopyVerdict> HotCopyAudit::look(SaleId sale) {
    const auto hot = co_await read_claims_(sale);
    if (!hot) co_return missing(sale);
    const auto ledger = co_await ledger_.hot_copy(sale);
    if (!ledger)
        co_return HotCopyVerdict{
            .sale = sale,
            .state = State::other_ledger,
            .detail = "the ledger has no such sale; a running server drops the copy in a minute"};
    auto other = stranger(*hot, *ledger);
    if (other) co_return std::move(*other);
    for (int tries = 0; tries < kTries; ++tries) {
        auto verdict = co_await compare_at_rest(sale);
        if (verdict) co_return std::move(*verdict);
    }
    auto verdict = co_await compare_in_motion(sale);
    co_return verdict;
}

/// nullopt when one side has changed meanwhile.
Task<std::optional<HotCopyVerdict>> HotCopyAudit::compare_at_rest(SaleId sale) {
    const auto hot = co_await gate_.snapshot(sale);
    if (!hot || !hot->steady) co_return std::nullopt;
    auto open = co_await read_claims_(sale);
    auto ledger = co_await ledger_.hot_copy(sale);
    if (!open || !ledger || ledger->filling.epoch != hot->epoch) co_return std::nullopt;
    LedgerView view{.copy = std::move(*ledger), .rows = {}, .not_committed = {}};
    view.rows = co_await rows_after(sale, hot->applied);
    view.not_committed = co_await not_committed(std::move(open->claims));
    const auto ledger_after = co_await ledger_.hot_copy(sale);
    if (!ledger_after || !is_unchanged(view.copy, *ledger_after)) co_return std::nullopt;
    const auto after = co_await gate_.snapshot(sale);
    if (!after || !after->steady || after->changes != hot->changes) co_return std::nullopt;
    co_return judge_at_rest(*hot, view);
}

Task<HotCopyVerdict> HotCopyAudit::compare_in_motion(SaleId sale) {
    const auto before = co_await read_claims_(sale);
    if (!before) co_return missing(sale);
    auto ledger = co_await ledger_.hot_copy(sale);
    const auto after = co_await read_claims_(sale);
    if (!ledger || !after) co_return missing(sale);
    for (const auto* hot : {&*before, &*after}) {
        auto other = stranger(*hot, *ledger);
        if (other) co_return std::move(*other);
    }
    LedgerView view{.copy = std::move(*ledger), .rows = {}, .not_committed = {}};
    view.rows = co_await rows_after(sale, std::min(before->applied, after->applied));
    auto claims = after->claims;
    view.not_committed = co_await not_committed(std::move(claims));
    co_return judge_while_selling(*before, view, *after);
}

Task<std::vector<HotChange>> HotCopyAudit::rows_after(SaleId sale, std::int64_t seq) {
    std::vector<HotChange> all;
    for (;;) {
        const auto rows = co_await ledger_.hot_changes(sale, seq, kAtOnce);
        all.insert(all.end(), rows.begin(), rows.end());
        if (rows.size() < kAtOnce) co_return all;
        seq = rows.back().seq;
    }
}

Task<std::vector<Ticket>> HotCopyAudit::not_committed(std::vector<Ticket> claims) {
    if (claims.empty()) co_return claims;
    auto asked = claims;
    const auto records = co_await ledger_.tickets(std::move(asked));
    std::set<TicketId> committed;
    for (const auto& record : records)
        if (record.state == TicketState::committed) committed.insert(record.id);
    std::erase_if(claims, [&](const Ticket& claim) { return committed.contains(claim.id); });
    co_return claims;
}

}  // namespace sluice
