#include "domain/sandbox_rules.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(SandboxRules, ABillIsPressedUntilItIsPaidAndNotTooOften) {
    const struct {
        std::optional<SandboxBill> bill;
        std::optional<Reason> pressed, sent_back;  // why not
    } rows[] = {
        {std::nullopt, Reason::not_found, Reason::not_found},
        {SandboxBill{false, 0}, std::nullopt, Reason::not_found},
        {SandboxBill{false, kMostPresses - 1}, std::nullopt, Reason::not_found},
        {SandboxBill{false, kMostPresses}, Reason::conflict, Reason::not_found},
        {SandboxBill{true, 1}, Reason::conflict, std::nullopt},
        {SandboxBill{true, kMostPresses}, Reason::conflict, std::nullopt},
    };
    const auto reason = [](const std::optional<Refusal>& no) {
        return no ? std::optional(no->reason) : std::nullopt;
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.bill ? row.bill->presses : -1);
        EXPECT_EQ(reason(why_not_pressed(row.bill)), row.pressed);
        EXPECT_EQ(reason(why_not_sent_back(row.bill)), row.sent_back);
    }
}

}  // namespace
}  // namespace sluice
