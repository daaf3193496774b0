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

/// For secrets that two sides share, in bytes.
inline constexpr std::size_t kShortestSecret = 16;

struct WholeNumber {
    unsigned least, most;
    unsigned& (*field)(Config&);
};

struct Switch {
    bool& (*field)(Config&);
};

/// `pick` is given the word's place in the list.
struct Choice {
    std::span<const std::string_view> words;
    void (*pick)(Config&, std::size_t);
};

struct Text {
    std::string_view expected;
    bool (*set)(Config&, const std::string&);  // false: not a valid address
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

/// Addresses of servers of one kind, or of mails: one or a list.
struct Urls {
    std::string_view expected;
    bool (*is_one)(std::string_view text);
    std::vector<std::string>& (*field)(Config&);
    std::string_view one = "a URL";
    std::string_view many = "URLs";
};

/// At least one of these words, as a list or as a single word.
struct Words {
    std::span<const std::string_view> words;
    void (*pick)(Config&, const std::vector<std::size_t>& places);
};

/// One name for all sources: `http.max_connections` is [http] max_connections in a file, and
/// SLUICE_HTTP_MAX_CONNECTIONS in the environment.
struct Key {
    std::string_view name;
    std::variant<WholeNumber, Switch, Choice, Text, Networks, Origins, Secrets, Urls, Words> kind;
    bool secret = false;       // never shown; not taken from a flag, which is visible
    bool not_in_file = false;  // a secret that should stand in a file of its own

    std::string variable() const;
};

std::span<const Key> keys();
const Key* find_key(std::string_view name);

/// Whether some key belongs to the table of this name.
bool is_section(std::string_view name);

/// Reads a text from the environment or a flag as the key expects it. If it cannot be read it stays
/// a text, and assign() refuses it.
Value read_text(const Key&, std::string_view text);

/// Assigns the value; otherwise returns the reason ("x" is not a whole number ...).
std::optional<std::string> assign(Config&, const Key&, const Value&);

}  // namespace sluice
