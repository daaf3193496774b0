#include "domain/sandbox_rules.hpp"

namespace sluice {

std::optional<Refusal> why_not_pressed(const std::optional<SandboxBill>& bill) {
    if (!bill) return Refusal{Reason::not_found};
    if (bill->is_paid || bill->presses >= kMostPresses) return Refusal{Reason::conflict};
    return std::nullopt;
}

std::optional<Refusal> why_not_sent_back(const std::optional<SandboxBill>& bill) {
    if (!bill || !bill->is_paid) return Refusal{Reason::not_found};
    return std::nullopt;
}

}  // namespace sluice
