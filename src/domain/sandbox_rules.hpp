#pragma once

#include <cstdint>
#include <optional>

#include "domain/refusal.hpp"

namespace sluice {

/// Presses of buttons for one bill of the sandbox. Each press writes a row or two that stay.
inline constexpr std::int64_t kMostPresses = 20;

/// A bill of the sandbox, as it is stored.
struct SandboxBill {
    bool is_paid = false;
    std::int64_t presses = 0;
};
/// Why no button of the bill can be pressed; nullopt when one can. `bill`: none when there is no
/// such bill.
std::optional<Refusal> why_not_pressed(const std::optional<SandboxBill>& bill);

/// Why no money of the bill can be sent back: only a paid bill has brought any.
std::optional<Refusal> why_not_sent_back(const std::optional<SandboxBill>& bill);

}  // namespace sluice
