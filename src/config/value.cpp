#include "config/value.hpp"

#include "base/ascii.hpp"

namespace sluice {
namespace {

constexpr std::size_t kLongestShown = 80;

struct Show {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(const std::string& value) const { return in_quotes(value); }
    std::string operator()(const std::vector<std::string>& list) const {
        std::string text = "[";
        for (const auto& element : list) {
            if (text.size() > 1) text += ", ";
            text += in_quotes(element);
        }
        return text + ']';
    }
    std::string operator()(const Alien& value) const { return value.written; }
};

}  // namespace

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text.substr(0, kLongestShown)) result += is_control(c) ? '?' : c;
    if (text.size() > kLongestShown) result += "...";
    return result + '"';
}

std::string shown(const Value& value) {
    return std::visit(Show{}, value);
}

}  // namespace sluice
