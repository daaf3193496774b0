#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice {

/// How phones are dialled in one country.
struct Country {
    std::string_view name;    // ISO 3166: CN
    std::string_view code;    // for calls from abroad: 86
    std::string_view trunk;   // put before a national number, or empty: 0
    std::string_view abroad;  // prefix for calls abroad: 00
    std::size_t least, most;  // digits of a national number, without the trunk
};

/// nullptr when the country is unknown.
const Country* find_country(std::string_view name);

/// Brings phones into one form, so that 137…, +86137… and 0086137… are the same person. Without a
/// country only the last two are.
class PhoneForm {
  public:
    PhoneForm() = default;
    explicit PhoneForm(const Country* country) : country_(country) {}

    /// + and the country's code before the national number. A text that cannot be read so stays as
    /// it is. Applying it twice changes nothing.
    std::string canonical(std::string_view phone) const;

    /// All spellings that accounts from before the country was configured may have: as given, then
    /// canonical, then the others. All have the same canonical form.
    std::vector<std::string> spellings(std::string_view phone) const;

  private:
    /// The national number, or empty when it is not one of this country.
    std::string_view national_part(std::string_view digits) const;

    const Country* country_ = nullptr;
};

/// The countries whose phones get messages. Calls abroad are dear, and some countries share what
/// they cost with whoever makes them be called.
class PhoneCountries {
  public:
    /// All of the world.
    PhoneCountries() = default;
    /// None but these. Countries that share a code, as US and CA do, stand for each other.
    explicit PhoneCountries(std::vector<const Country*> countries)
        : countries_(std::move(countries)) {}

    /// `canonical`: as PhoneForm has it. One without a country's code may be of any of them that
    /// has such numbers.
    bool allow(std::string_view canonical) const;

  private:
    std::optional<std::vector<const Country*>> countries_;
};

}  // namespace sluice
