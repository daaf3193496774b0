#include "app/purchase/hot_outbox.hpp"

namespace sluice {

Task<> HotOutbox::catch_up(SaleId sale) {
    try {
        for (int rounds = 0; rounds < kMostRounds; ++rounds) {
            const bool more = co_await apply_some(sale);
            if (!more) co_return;
        }
    } catch (const std::exception& failure) {
        // The change itself is committed. Its row stays in the outbox, and the keeper of the copies
        // applies it later.
        log_.warn("hot_outbox.put_off", {{"sale", sale.text()}, {"reason", failure.what()}});
    }
}

/// Applies a part; returns whether there may be more.
Task<bool> HotOutbox::apply_some(SaleId sale) {
    const auto copy = co_await gate_.open_copy(sale);
    if (!copy) co_return false;
    auto rows = co_await ledger_.hot_changes(sale, copy->applied, kAtOnce);
    if (rows.empty()) co_return false;
    const auto last = rows.back().seq;
    const bool is_full = rows.size() == kAtOnce;
    const auto applied = co_await gate_.apply(sale, copy->filling.epoch, std::move(rows));
    if (!applied) co_return true;  // filled anew meanwhile: start again
    // A gap: rows that the copy lacks were pruned already. The copy differs from the ledger now,
    // which its keeper finds and heals.
    if (*applied < last) {
        log_.warn("hot_outbox.gap", {{"sale", sale.text()}, {"applied", *applied}});
        co_return false;
    }
    co_return is_full;
}

}  // namespace sluice
