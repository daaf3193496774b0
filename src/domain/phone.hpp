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
    std::string_view code;    // of calls from abroad: 86
    std::string_view trunk;   // what stands before a national number, or nothing: 0
    std::string_view abroad;  // what calls abroad begin with: 00
    std::size_t least, most;  // digits of a national number, without the trunk
};

/// nullptr when we do not know it.
const Country* find_country(std::string_view name);

/// Brings phones into one form, so that 137…, +86137… and 0086137… are one person. Without a
/// country only the last two are.
class PhoneForm {
  public:
    PhoneForm() = default;
    explicit PhoneForm(const Country* country) : country_(country) {}

    /// + and the country's code before the national number. What cannot be read so stays as it is
    /// written. Doing it twice changes nothing.
    std::string canonical(std::string_view phone) const;

    /// All ways to write it, which accounts from before the country was configured may have: as it
    /// is given, then canonical, then the others. Each has the same canonical form.
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
