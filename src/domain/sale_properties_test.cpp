#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "domain/sale.hpp"

namespace sluice {
namespace {

using std::chrono::minutes;

constexpr Timestamp kStart = from_millis(1'794'513'600'000);

Sale scheduled() {
    Sale sale;
    sale.id = SaleId{1};
    sale.starts_at = kStart + minutes{30};
    sale.ends_at = kStart + minutes{90};
    sale.stock = {.total = 10, .left = 6, .held = 3, .sold = 1};
    sale.limit_per_buyer = 2;
    sale.hold_seconds = 60;
    return sale;
}

template <class T>
std::optional<T> maybe(T low, T high) {
    if (*rc::gen::arbitrary<bool>()) return std::nullopt;
    return *rc::gen::inRange<T>(low, high);
}

SaleDraft any_draft(Timestamp now) {
    SaleDraft draft;
    draft.price_cents = maybe<std::int64_t>(-1, 5);
    draft.stock = maybe<std::int64_t>(-1, 20);
    draft.limit_per_buyer = maybe<std::int64_t>(0, 5);
    draft.hold_seconds = maybe<std::int64_t>(0, 120);
    if (const auto ends_in = maybe<std::int64_t>(-10, 60)) draft.ends_at = now + minutes{*ends_in};
    if (const auto starts_in = maybe<std::int64_t>(-10, 60))
        draft.starts_at = now + minutes{*starts_in};
    return draft;
}

RC_GTEST_PROP(SaleRules, AnySequenceOfChangesKeepsThem, ()) {
    Sale sale = scheduled();
    auto now = kStart;
    bool ended = false;
    const auto steps = *rc::gen::inRange(1, 40);
    for (int i = 0; i < steps; ++i) {
        now += minutes{*rc::gen::inRange(0, 10)};
        ended = ended || state_at(sale, now) == SaleState::ended;
        const auto kind = *rc::gen::inRange(0, 4);
        const auto after = kind == 0   ? pause_sale(sale, now)
                           : kind == 1 ? resume_sale(sale, now)
                           : kind == 2 && *rc::gen::inRange(0, 8) == 0
                               ? end_sale(sale, now)
                               : edit_sale(sale, any_draft(now), now);
        if (ended) {
            RC_ASSERT(state_at(sale, now) == SaleState::ended);
            RC_ASSERT(!after || *after == sale);
        }
        if (!after) continue;
        RC_ASSERT(after->version == sale.version + (*after == sale ? 0 : 1));
        const auto& stock = after->stock;
        RC_ASSERT(stock.total == stock.left + stock.held + stock.sold);
        RC_ASSERT(stock.held == sale.stock.held && stock.sold == sale.stock.sold);
        if (now >= sale.starts_at) {
            RC_ASSERT(after->price_cents == sale.price_cents);
            RC_ASSERT(after->starts_at == sale.starts_at);
            RC_ASSERT(after->limit_per_buyer >= sale.limit_per_buyer);
            RC_ASSERT(after->hold_seconds >= sale.hold_seconds);
        }
        sale = *after;
    }
}

}  // namespace
}  // namespace sluice
