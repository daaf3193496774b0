#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.hpp"
#include "config/value.hpp"

namespace sluice {

/// Of secrets that two sides share, in bytes.
inline constexpr std::size_t kShortestSecret = 16;

struct WholeNumber {
    unsigned least, most;
    unsigned& (*field)(Config&);
};

struct Switch {
    bool& (*field)(Config&);
};

/// The word's place in the list is what `pick` is given.
struct Choice {
    std::span<const std::string_view> words;
    void (*pick)(Config&, std::size_t);
};

struct Text {
    std::string_view expected;
    bool (*set)(Config&, const std::string&);  // false: that is not one
};

struct Networks {
    std::vector<Network>& (*field)(Config&);
};

/// Secrets that two sides share.
struct Secrets {
    std::vector<std::string>& (*field)(Config&);
};

/// Origins as browsers write them.
struct Origins {
    std::vector<std::string>& (*field)(Config&);
};

/// Where servers of one kind listen, or mails go: one or a list.
struct Urls {
    std::string_view expected;
    bool (*is_one)(std::string_view text);
    std::vector<std::string>& (*field)(Config&);
    std::string_view one = "a URL";
    std::string_view many = "URLs";
};

/// Some of these words, at least one, as a list or as a single word.
struct Words {
    std::span<const std::string_view> words;
    void (*pick)(Config&, const std::vector<std::size_t>& places);
};

/// One key for all sources: `http.max_connections` in a file is [http] max_connections, in the
/// environment SLUICE_HTTP_MAX_CONNECTIONS.
struct Key {
    std::string_view name;
    std::variant<WholeNumber, Switch, Choice, Text, Networks, Origins, Secrets, Urls, Words> kind;
    bool secret = false;       // never shown, and not taken from a flag, which others could read
    bool not_in_file = false;  // a secret that does not belong among the settings

    std::string variable() const;
};

std::span<const Key> keys();
const Key* find_key(std::string_view name);

/// Whether some key stands in the table of this name.
bool is_section(std::string_view name);

/// What a text from the environment or a flag says, read as the key wants it. What cannot be read
/// stays a text, for assign to refuse.
Value read_text(const Key&, std::string_view text);

/// Puts the value where it belongs; else says why not ("x" is not a whole number ...).
std::optional<std::string> assign(Config&, const Key&, const Value&);

}  // namespace sluice
