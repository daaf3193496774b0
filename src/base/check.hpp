#pragma once

#include <string_view>

namespace sluice {

/// Ends the process after naming the broken fact. Kept in release builds: going on with a broken
/// invariant could sell a unit twice, stopping cannot.
[[noreturn]] void broken(std::string_view fact, const char* file, int line) noexcept;

}  // namespace sluice

/// It is a bug if this is false. Never for bad input, refusals or outages: those are values or
/// exceptions. It is an expression, and after CHECK(false, …) every compiler knows that nothing
/// follows.
#define CHECK(fact, message) \
    ((fact) ? static_cast<void>(0) : ::sluice::broken(#fact " - " message, __FILE__, __LINE__))
