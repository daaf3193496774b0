#pragma once

#include <charconv>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// A positive 63-bit id of one kind of thing. In JSON it is a string of decimal digits, since
/// JavaScript's numbers end at 53 bits.
template <class Thing>
struct Id {
    std::int64_t value = 0;

    friend auto operator<=>(const Id&, const Id&) = default;

    std::string text() const { return std::to_string(value); }

    /// The canonical digits only: no sign, no leading zero, no space.
    static std::optional<Id> parse(std::string_view text) {
        std::int64_t value = 0;
        if (text.empty() || text.front() < '1' || text.front() > '9') return std::nullopt;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
        return Id{value};
    }
};

using UserId = Id<struct User>;
using ItemId = Id<struct Item>;
using SaleId = Id<struct Sale>;
using OrderId = Id<struct Order>;
using PaymentId = Id<struct Payment>;
using ChargeId = Id<struct Charge>;
using DeedId = Id<struct Deed>;
using BlockId = Id<struct Block>;

}  // namespace sluice

template <class Thing>
struct std::hash<sluice::Id<Thing>> {
    std::size_t operator()(sluice::Id<Thing> id) const noexcept {
        // Ids made in a row differ only in their low bits; this spreads them over the table.
        return static_cast<std::size_t>(id.value) * 0x9e3779b97f4a7c15ULL;
    }
};
