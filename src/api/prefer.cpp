#include "api/prefer.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "http/negotiation.hpp"
#include "http/request.hpp"

namespace sluice::api {
namespace {

/// The part before the separator, which is removed with it.
std::string_view take_until(std::string_view& text, char separator) {
    const auto end = std::min(text.find(separator), text.size());
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

std::chrono::seconds as_wait(std::string_view value) {
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
    if (value.empty() || value.find_first_not_of("0123456789") != value.npos)
        return std::chrono::seconds{0};
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error != std::errc{}) return kLongestWait;  // too large a number
    return std::min(std::chrono::seconds{seconds}, kLongestWait);
}

}  // namespace

std::chrono::seconds preferred_wait(std::string_view header) {
    while (!header.empty()) {
        auto preference = take_until(header, ',');
        auto assignment = take_until(preference, ';');
        const auto name = trim(take_until(assignment, '='));
        // If there are several, the first one counts.
        if (http::equals_ignoring_case(name, "wait")) return as_wait(trim(assignment));
    }
    return std::chrono::seconds{0};
}

}  // namespace sluice::api
