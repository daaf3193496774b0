#include "app/pass_desk.hpp"

#include <algorithm>

namespace sluice {

std::expected<PassDesk::Issued, PassDesk::Full> PassDesk::issue(const Caller& buyer, SaleId sale,
                                                                std::int64_t most_places,
                                                                Timestamp now) {
    const auto expires_at = now + kLifetime;
    {
        const std::lock_guard lock(mutex_);
        Line& line = lines_[sale];
        clear_expired(line, now);
        const auto mine = line.places.find(buyer.id);
        const bool full = static_cast<std::int64_t>(line.places.size()) >= most_places;
        if (mine == line.places.end() && full) {
            const auto next = line.expiries.empty() ? now : line.expiries.front().first;
            const auto wait = std::chrono::ceil<std::chrono::seconds>(next - now);
            return std::unexpected(Full{std::clamp(wait, std::chrono::seconds{1}, kLifetime)});
        }
        if (mine == line.places.end() || mine->second < expires_at) {
            line.places[buyer.id] = expires_at;
            line.expiries.emplace_back(expires_at, buyer.id);
        }
    }
    Passes::Nonce nonce;
    random_.fill(nonce);
    return Issued{passes_.make(buyer.id, sale, buyer.session, expires_at, nonce), expires_at};
}

void PassDesk::vacate(UserId buyer, SaleId sale) {
    const std::lock_guard lock(mutex_);
    const auto line = lines_.find(sale);
    if (line != lines_.end()) line->second.places.erase(buyer);
}

std::size_t PassDesk::places(SaleId sale) const {
    const std::lock_guard lock(mutex_);
    const auto line = lines_.find(sale);
    return line == lines_.end() ? 0 : line->second.places.size();
}

void PassDesk::clear_expired(Line& line, Timestamp now) {
    while (!line.expiries.empty() && line.expiries.front().first <= now) {
        const auto place = line.places.find(line.expiries.front().second);
        if (place != line.places.end() && place->second <= now) line.places.erase(place);
        line.expiries.pop_front();
    }
}

}  // namespace sluice
