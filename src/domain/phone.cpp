#include "domain/phone.hpp"

#include <algorithm>

namespace sluice {
namespace {

/// E.164: no number in the world is longer, including its country's code.
constexpr std::size_t kMostDigits = 15;
constexpr std::size_t kLeastDigits = 5;
/// The prefix for calls abroad in most countries. No national number begins with it.
constexpr std::string_view kMostlyAbroad = "00";

constexpr Country kCountries[] = {
    {"AE", "971", "0", "00", 8, 9},  {"AT", "43", "0", "00", 7, 13},
    {"AU", "61", "0", "0011", 9, 9}, {"BE", "32", "0", "00", 8, 9},
    {"CA", "1", "1", "011", 10, 10}, {"CH", "41", "0", "00", 9, 9},
    {"CN", "86", "0", "00", 10, 11}, {"DE", "49", "0", "00", 7, 11},
    {"DK", "45", "", "00", 8, 8},    {"ES", "34", "", "00", 9, 9},
    {"FR", "33", "0", "00", 9, 9},   {"GB", "44", "0", "00", 9, 10},
    {"HK", "852", "", "001", 8, 8},  {"IE", "353", "0", "00", 7, 9},
    {"IN", "91", "0", "00", 10, 10}, {"IT", "39", "", "00", 8, 11},
    {"JP", "81", "0", "010", 9, 10}, {"MO", "853", "", "00", 8, 8},
    {"MY", "60", "0", "00", 8, 10},  {"NL", "31", "0", "00", 9, 9},
    {"NO", "47", "", "00", 8, 8},    {"NZ", "64", "0", "00", 8, 10},
    {"PH", "63", "0", "00", 8, 10},  {"PL", "48", "", "00", 9, 9},
    {"PT", "351", "", "00", 9, 9},   {"RU", "7", "8", "810", 10, 10},
    {"SE", "46", "0", "00", 7, 9},   {"SG", "65", "", "001", 8, 8},
    {"TH", "66", "0", "001", 8, 9},  {"TR", "90", "0", "00", 10, 10},
    {"TW", "886", "0", "002", 8, 9}, {"US", "1", "1", "011", 10, 10},
    {"VN", "84", "0", "00", 9, 10},  {"ZA", "27", "0", "00", 9, 9},
};

bool has_length_of(const Country& country, std::string_view national) {
    return national.size() >= country.least && national.size() <= country.most;
}

bool is_plausible(std::string_view digits) {
    return digits.size() >= kLeastDigits && digits.size() <= kMostDigits;
}

bool strip(std::string_view& text, std::string_view prefix) {
    if (prefix.empty() || !text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::string joined(std::string_view a, std::string_view b, std::string_view c = {},
                   std::string_view d = {}) {
    std::string text(a);
    return text.append(b).append(c).append(d);
}

}  // namespace

const Country* find_country(std::string_view name) {
    const auto found = std::ranges::find(kCountries, name, &Country::name);
    return found == std::end(kCountries) ? nullptr : &*found;
}

std::string_view PhoneForm::national_part(std::string_view digits) const {
    const auto& country = *country_;
    auto without_trunk = digits;
    if (strip(without_trunk, country.trunk) && has_length_of(country, without_trunk))
        return without_trunk;
    return has_length_of(country, digits) ? digits : std::string_view{};
}

std::string PhoneForm::canonical(std::string_view phone) const {
    auto digits = phone;
    if (!country_) {
        const bool from_abroad = strip(digits, kMostlyAbroad) && is_plausible(digits);
        return from_abroad ? joined("+", digits) : std::string(phone);
    }
    const bool international = strip(digits, "+") || strip(digits, country_->abroad);
    if (!international) {
        // A national number is tried before one with the country's code: 86137… is too long to be
        // one.
        if (const auto national = national_part(digits); !national.empty())
            return joined("+", country_->code, national);
    }
    auto after_code = digits;
    if (strip(after_code, country_->code)) {
        if (const auto national = national_part(after_code); !national.empty())
            return joined("+", country_->code, national);
    }
    return international && is_plausible(digits) ? joined("+", digits) : std::string(phone);
}

std::vector<std::string> PhoneForm::spellings(std::string_view phone) const {
    std::vector<std::string> found{std::string(phone)};
    const auto form = canonical(phone);
    const auto add = [&](std::string text) {
        if (std::ranges::find(found, text) == found.end() && canonical(text) == form)
            found.push_back(std::move(text));
    };
    add(form);
    if (!form.starts_with('+')) return found;
    auto national = std::string_view(form).substr(1);
    add(joined(country_ ? country_->abroad : kMostlyAbroad, national));
    if (!country_) return found;
    add(std::string(national));
    if (!strip(national, country_->code)) return found;
    add(std::string(national));
    add(joined(country_->trunk, national));
    add(joined("+", country_->code, country_->trunk, national));
    return found;
}

bool PhoneCountries::allow(std::string_view canonical) const {
    if (!countries_) return true;
    return std::ranges::any_of(*countries_, [&](const Country* country) {
        const auto form = PhoneForm(country).canonical(canonical);
        auto digits = std::string_view(form);
        return strip(digits, "+") && strip(digits, country->code) &&
               has_length_of(*country, digits);
    });
}

}  // namespace sluice
