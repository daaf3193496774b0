#include "domain/holds.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sluice {
namespace {

/// Those with the most lapses first; among equals, as all are before anything has lapsed, those who
/// hold more now.
template <class Row, class Name>
void keep_worst(std::vector<Row>& rows, Name name) {
    std::erase_if(rows, [](const Row& row) { return row.lapses == 0 && row.pending.orders == 0; });
    const auto rank = [&](const Row& row) {
        return std::tuple(-row.lapses, -row.pending.units, name(row));
    };
    const auto kept = std::min(rows.size(), kMostHoldRows);
    std::ranges::partial_sort(rows, rows.begin() + static_cast<std::ptrdiff_t>(kept), {}, rank);
    rows.resize(kept);
}

}  // namespace

void HoldsTally::add_pending(const Bought& bought, std::int64_t units, Timestamp created_at,
                             Timestamp expires_at) {
    if (expires_at <= now_) return;
    const Held one{.orders = 1, .units = units};
    // If a clock was set back, orders may be dated in the future.
    const auto age = std::max(now_ - created_at, Timestamp::duration{0});
    ages_[std::chrono::floor<std::chrono::minutes>(age).count()] += one;
    add(bought, {.pending = one});
}

void HoldsTally::add_lapse(const Bought& bought) {
    add(bought, {.lapses = 1});
}

void HoldsTally::add(const Bought& bought, const Count& count) {
    auto& person = people_[bought.buyer];
    if (!bought.network) {
        person.stray += count;
        return;
    }
    part_of(person, *bought.network) += count;
    if (bought.order < person.latest) return;
    person.latest = bought.order;
    person.network = bought.network;
}

/// Households of one kind of address are of one size, so that the base is enough to tell them.
HoldsTally::Count& HoldsTally::part_of(Person& person, const Network& network) {
    for (auto& part : person.parts)
        if (part.network.base == network.base) return part.count;
    return person.parts.emplace_back(network, Count{}).count;
}

std::vector<UserId> HoldsTally::strays() const {
    std::vector<UserId> all;
    for (const auto& [buyer, person] : people_)
        if (!person.stray.is_empty()) all.push_back(buyer);
    return all;
}

void HoldsTally::set_network(UserId buyer, const Network& household) {
    auto& person = people_[buyer];
    part_of(person, household) += std::exchange(person.stray, {});
    if (!person.network) person.network = household;
}

HoldsOfSale HoldsTally::finish() const {
    HoldsOfSale holds{.ages = {}, .buyers = list_buyers(), .networks = list_networks()};
    for (const auto& [minutes, held] : ages_) holds.ages.push_back({minutes, held});
    return holds;
}

std::vector<HoldsOfSale::Buyer> HoldsTally::list_buyers() const {
    std::vector<HoldsOfSale::Buyer> rows;
    rows.reserve(people_.size());
    for (const auto& [buyer, person] : people_) {
        Count all = person.stray;
        for (const auto& part : person.parts) all += part.count;
        rows.push_back(
            {.id = buyer, .lapses = all.lapses, .pending = all.pending, .network = person.network});
    }
    keep_worst(rows, [](const HoldsOfSale::Buyer& row) { return row.id; });
    return rows;
}

std::vector<HoldsOfSale::Source> HoldsTally::list_networks() const {
    std::map<Address, HoldsOfSale::Source> by_base;
    for (const auto& [buyer, person] : people_)
        for (const auto& [network, count] : person.parts) {
            auto& source = by_base[network.base];
            source.network = network;
            source.buyers += 1;
            source.lapses += count.lapses;
            source.pending += count.pending;
        }
    std::vector<HoldsOfSale::Source> rows;
    rows.reserve(by_base.size());
    for (const auto& [base, source] : by_base) rows.push_back(source);
    keep_worst(rows, [](const HoldsOfSale::Source& row) { return row.network.base; });
    return rows;
}

}  // namespace sluice
