#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "config/keys.hpp"

namespace sluice {
namespace {

constexpr std::size_t kMostSecrets = 8;
constexpr std::size_t kMostPlaces = 16;

/// Compared byte by byte with what browsers send: in lower case, without the default port of the
/// scheme.
bool is_origin(std::string_view text) {
    const bool usual_port =
        text.starts_with("https://") ? text.ends_with(":443") : text.ends_with(":80");
    return is_web_address(text) && !usual_port &&
           std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string refusal(const std::string& what, std::string_view expected) {
    return what + " is not " + std::string(expected);
}

std::string one_of(std::span<const std::string_view> words) {
    std::string expected = "one of";
    for (auto each : words) expected += ' ' + in_quotes(each);
    return expected;
}

/// Assigns to a key of each kind; returns the reason when that is not possible.
class Assign {
  public:
    Assign(Config& c, const Value& given) : config(c), value(given) {}

    std::optional<std::string> operator()(const WholeNumber& key) const {
        const auto* number = std::get_if<std::int64_t>(&value);
        if (!number || *number < key.least || *number > key.most)
            return refusal(shown(value), "a whole number from " + std::to_string(key.least) +
                                             " to " + std::to_string(key.most));
        key.field(config) = static_cast<unsigned>(*number);
        return std::nullopt;
    }

    std::optional<std::string> operator()(const Switch& key) const {
        const auto* on = std::get_if<bool>(&value);
        if (!on) return refusal(shown(value), "true or false");
        key.field(config) = *on;
        return std::nullopt;
    }

    std::optional<std::string> operator()(const Choice& key) const {
        const auto* text = std::get_if<std::string>(&value);
        const auto word = text ? std::ranges::find(key.words, *text) : key.words.end();
        if (word != key.words.end()) {
            key.pick(config, static_cast<std::size_t>(word - key.words.begin()));
            return std::nullopt;
        }
        return refusal(shown(value), one_of(key.words));
    }

    std::optional<std::string> operator()(const Text& key) const {
        const auto* text = std::get_if<std::string>(&value);
        if (!text || !key.set(config, *text)) return refusal(shown(value), key.expected);
        return std::nullopt;
    }

    std::optional<std::string> operator()(const Networks& key) const {
        const auto* list = std::get_if<std::vector<std::string>>(&value);
        if (!list) return refusal(shown(value), "a list of networks");
        std::vector<Network> networks;
        for (const auto& text : *list) {
            const auto network = Network::parse(text);
            if (!network)
                return refusal(in_quotes(text), "a network such as 10.0.0.0/8 or 2001:db8::/32");
            networks.push_back(*network);
        }
        key.field(config) = std::move(networks);
        return std::nullopt;
    }

    std::optional<std::string> operator()(const Secrets& key) const {
        const auto* list = std::get_if<std::vector<std::string>>(&value);
        const auto is_secret = [](const std::string& text) {
            return text.size() >= kShortestSecret && std::ranges::none_of(text, is_control);
        };
        if (!list || list->size() > kMostSecrets || !std::ranges::all_of(*list, is_secret))
            return refusal("what is given", "a list of secrets");
        key.field(config) = *list;
        return std::nullopt;
    }

    std::optional<std::string> operator()(const Origins& key) const {
        const auto* list = std::get_if<std::vector<std::string>>(&value);
        if (!list) return refusal(shown(value), "a list of origins");
        for (const auto& text : *list)
            if (!is_origin(text))
                return refusal(in_quotes(text), "an origin such as https://shop.example.com");
        key.field(config) = *list;
        return std::nullopt;
    }

    std::optional<std::string> operator()(const Urls& key) const {
        const auto urls = one_or_more();
        if (!urls)
            return refusal(shown(value),
                           std::string(key.one) + " or a list of " + std::string(key.many));
        for (const auto& url : *urls)
            if (!key.is_one(url)) return refusal(in_quotes(url), key.expected);
        if (urls->size() > kMostPlaces)
            return refusal("what is given", "a list of at most 16 " + std::string(key.many));
        key.field(config) = *urls;
        return std::nullopt;
    }

    std::optional<std::string> operator()(const Words& key) const {
        const auto given = one_or_more();
        std::vector<std::size_t> places;
        for (const auto& word : given.value_or(std::vector<std::string>{})) {
            const auto found = std::ranges::find(key.words, word);
            if (found == key.words.end()) return refusal(in_quotes(word), one_of(key.words));
            places.push_back(static_cast<std::size_t>(found - key.words.begin()));
        }
        if (places.empty()) return refusal(shown(value), "a list of at least " + one_of(key.words));
        key.pick(config, places);
        return std::nullopt;
    }

  private:
    std::optional<std::vector<std::string>> one_or_more() const {
        if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return *list;
        if (const auto* text = std::get_if<std::string>(&value)) return std::vector{*text};
        return std::nullopt;
    }

    Config& config;
    const Value& value;
};

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    if (trim(text).empty()) return parts;
    for (;;) {
        const auto comma = text.find(',');
        parts.emplace_back(trim(text.substr(0, comma)));
        if (comma == text.npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

Value read_text(const Key& key, std::string_view text) {
    if (std::holds_alternative<WholeNumber>(key.kind)) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc{} && end == text.data() + text.size()) return number;
    } else if (std::holds_alternative<Switch>(key.kind)) {
        if (text == "true" || text == "false") return text == "true";
    } else if (std::holds_alternative<Networks>(key.kind) ||
               std::holds_alternative<Origins>(key.kind) ||
               std::holds_alternative<Secrets>(key.kind) ||
               std::holds_alternative<Urls>(key.kind) || std::holds_alternative<Words>(key.kind)) {
        return split_at_commas(text);
    }
    return std::string(text);
}

std::optional<std::string> assign(Config& config, const Key& key, const Value& value) {
    auto reason = std::visit(Assign(config, value), key.kind);
    if (reason && key.secret) return "the value, which is a secret, is not one that the key takes";
    return reason;
}

}  // namespace sluice
