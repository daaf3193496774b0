#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice {

/// A value that no key accepts, such as a date, as the source wrote it.
struct Alien {
    std::string written;

    friend bool operator==(const Alien&, const Alien&) = default;
};

/// A value as a source gave it, before a key has checked it.
using Value = std::variant<bool, std::int64_t, std::string, std::vector<std::string>, Alien>;

/// In quotes, on one line and of bounded length, fit for a message.
std::string in_quotes(std::string_view);

/// How a message shows the value.
std::string shown(const Value&);

}  // namespace sluice
