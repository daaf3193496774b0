#include "assembly/shop_stakes.hpp"

#include <algorithm>

namespace sluice {

/// An attempt may become an order while the ledger is asked, so attempts are checked before and
/// after.
Task<Stakes> ShopStakes::between(Timestamp one, Timestamp other) {
    const bool had_attempts = has_open_attempts();
    const bool is_something_put_off = co_await has_refunds_or_deliveries();
    const auto due = co_await ledgers_.orders.next_due({});
    Stakes stakes;
    stakes.promises = had_attempts || due || has_open_attempts();
    stakes.due =
        is_something_put_off || is_open_sale_between(std::min(one, other), std::max(one, other));
    co_return stakes;
}

Task<bool> ShopStakes::has_refunds_or_deliveries() {
    const auto deliveries = co_await ledgers_.webhooks.backlog();
    if (deliveries.pending > 0) co_return true;
    if (provider_.empty()) co_return false;
    const auto refunds = co_await ledgers_.payments.owed_refunds(provider_, Timestamp{}, 1);
    const auto owed = refunds.owed.find(provider_);
    co_return owed != refunds.owed.end() && owed->second > 0;
}

bool ShopStakes::has_open_attempts() const {
    return desk_.has_places() || intake_.backlog() > 0;
}

/// A paused sale counts as open: it may be resumed at any moment.
bool ShopStakes::is_open_sale_between(Timestamp first, Timestamp last) const {
    bool found = false;
    catalog_.visit_sales([&](const auto& displayed) {
        const Sale& sale = displayed->sale;
        const bool is_over = sale.ended_at || (sale.ends_at && *sale.ends_at <= first);
        found |= !is_over && sale.starts_at <= last;
    });
    return found;
}

}  // namespace sluice
