#include "app/pass_desk.hpp"

#include <algorithm>

namespace sluice {

std::expected<PassDesk::Issued, PassDesk::Full> PassDesk::issue(const Caller& buyer, SaleId sale,
                                                                std::int64_t most_places,
                                                                Timestamp now) {
    const auto expires_at = now + kLifetime;
    {
        const std::lock_guard lock(mutex_);
        auto& places = places_[sale];
        const auto* mine = places.find(buyer.id, now);
        if (!mine && static_cast<std::int64_t>(places.size()) >= most_places) {
            const auto next = places.next_expiry().value_or(now);
            const auto wait = std::chrono::ceil<std::chrono::seconds>(next - now);
            return std::unexpected(Full{std::clamp(wait, std::chrono::seconds{1}, kLifetime)});
        }
        if (!mine || *mine < expires_at) places.put(buyer.id, expires_at, expires_at);
    }
    return make_pass(buyer, sale, expires_at);
}

std::optional<PassDesk::Issued> PassDesk::renew(const Caller& buyer, SaleId sale, Timestamp now) {
    Timestamp expires_at;
    {
        const std::lock_guard lock(mutex_);
        const auto places = places_.find(sale);
        if (places == places_.end()) return std::nullopt;
        const auto* mine = places->second.find(buyer.id, now);
        if (!mine) return std::nullopt;
        expires_at = *mine;
    }
    return make_pass(buyer, sale, expires_at);
}

void PassDesk::vacate(UserId buyer, SaleId sale) {
    const std::lock_guard lock(mutex_);
    const auto places = places_.find(sale);
    if (places != places_.end()) places->second.erase(buyer);
}

std::size_t PassDesk::places(SaleId sale) const {
    const std::lock_guard lock(mutex_);
    const auto places = places_.find(sale);
    return places == places_.end() ? 0 : places->second.size();
}

PassDesk::Issued PassDesk::make_pass(const Caller& buyer, SaleId sale, Timestamp expires_at) {
    Passes::Nonce nonce;
    random_.fill(nonce);
    return {passes_.make(buyer.id, sale, buyer.session, expires_at, nonce), expires_at};
}

}  // namespace sluice
