#include "app/passes/listed_buyers.hpp"

namespace sluice {

std::optional<bool> ListedBuyers::peek(const Sale& sale, UserId buyer) {
    const auto now = clock_.now();
    auto& shelf = shelf_of(buyer);
    const MutexLock lock(shelf.mutex);
    shelf.answers.forget_beyond(now + kLife);
    const auto* known = shelf.answers.find({sale.id, buyer}, now);
    if (!known || known->list_version != sale.list_version) return std::nullopt;
    return known->is_listed;
}

Task<bool> ListedBuyers::ask(const Sale& sale, UserId buyer) {
    if (const auto known = peek(sale, buyer)) co_return *known;
    const Key key{sale.id, buyer};
    const auto version = sale.list_version;
    // Dated before the question, since the list may change while it is on its way.
    const auto until = clock_.now() + kLife;
    const bool is_listed = co_await ledger_.names(key.sale, buyer, form_);
    auto& shelf = shelf_of(buyer);
    const MutexLock lock(shelf.mutex);
    if (shelf.answers.size() >= kMost / kShelves) shelf.answers.forget_first();
    shelf.answers.put(key, {version, is_listed}, until);
    co_return is_listed;
}

std::size_t ListedBuyers::known() const {
    std::size_t sum = 0;
    for (const auto& shelf : shelves_) {
        const MutexLock lock(shelf.mutex);
        sum += shelf.answers.size();
    }
    return sum;
}

}  // namespace sluice
