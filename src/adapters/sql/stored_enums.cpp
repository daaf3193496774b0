#include "adapters/sql/stored_enums.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace sluice {
namespace {

struct Name {
    Reason reason;
    std::string_view text;
};
constexpr std::array<Name, 8> kReasons{{
    {Reason::not_found, "not_found"},
    {Reason::ended, "ended"},
    {Reason::paused, "paused"},
    {Reason::not_started, "not_started"},
    {Reason::sold_out, "sold_out"},
    {Reason::limit_reached, "limit_reached"},
    {Reason::busy, "busy"},
    {Reason::conflict, "conflict"},
}};

}  // namespace

std::optional<TicketState> StoredEnum<TicketState>::take(std::int64_t number) {
    constexpr auto first = static_cast<std::int64_t>(TicketState::prepared);
    constexpr auto last = static_cast<std::int64_t>(TicketState::rolled_back);
    if (number < first || number > last) return std::nullopt;
    return static_cast<TicketState>(number);
}

std::string_view StoredEnum<Reason>::put(Reason reason) {
    const auto at = std::ranges::find(kReasons, reason, &Name::reason);
    CHECK(at != kReasons.end(), "the journal has a name for every reason a ticket can have");
    return at->text;
}

std::optional<Reason> StoredEnum<Reason>::take(std::string_view text) {
    const auto at = std::ranges::find(kReasons, text, &Name::text);
    if (at == kReasons.end()) return std::nullopt;
    return at->reason;
}

}  // namespace sluice
