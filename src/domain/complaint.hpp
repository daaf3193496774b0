#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "domain/language.hpp"

namespace sluice {

/// What can be wrong with something that was sent. The catalogue in domain/complaint.cpp has its
/// sentence in each language. The comments name its arguments.
enum class Rule {
    missing,
    too_long,
    too_large,
    unknown_field,
    unknown_parameter,
    empty,
    given_twice,
    body_not_object,
    not_object,
    not_text,
    not_texts,
    not_id,
    no_such_item,
    not_utf8,
    has_nul,
    has_control_characters,
    not_whole_number,
    negative,
    whole_number_from_to,  // least, most
    from_to,               // least, most
    from_to_or_null,       // least, most
    at_least,              // least
    most_bytes,            // most
    most_characters,       // most
    characters_from_to,    // least, most
    digits_from_to,        // least, most
    ascii_from_to,         // least, most
    one_of,                // the words
    not_time,              // an example
    not_later_than_from,
    not_in_future,
    not_after_start,
    in_past,
    not_cursor,
    not_currency,
    not_picture,
    not_pictures,  // most
    not_tags,      // most, most characters
    not_change_of_units,
    not_block_subject,
    not_events,       // the events
    not_webhook_url,  // most characters
    private_address,
    insecure_address,
    burst_too_large,  // name of the rate, most
    fixed,
    fixed_after_start,
    stock_after_start,
    currency_on_sale,
    only_raised,
    common_password,
    password_is_phone,
    wrong_password,
    wrong_code,
    fits_too_many_buyers,  // most
    no_codes_to_country,
    only_for_listed_first,
    not_within_sale,
    only_opened,
    not_one_column,
    not_phone_or_id,
    bad_csv,
    list_empty,
    plain_at_most,  // most characters
    nothing_delivered,
    not_asked_for,
    picture_unknown,
    picture_of_other_type,  // what it is
    picture_too_large,      // width, height, most of a side, most millions in all
    picture_broken,
    picture_colours,
    picture_too_complex,
};
inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::picture_too_complex) + 1;

/// A broken rule, with the arguments of its sentence.
struct Complaint {
    Rule rule;
    std::vector<std::string> arguments;

    template <class... Arguments>
    Complaint(Rule broken, const Arguments&... given) : rule(broken), arguments{text(given)...} {}

    friend bool operator==(const Complaint&, const Complaint&) = default;

  private:
    static std::string text(std::integral auto number) { return std::to_string(number); }
    static std::string text(std::string_view words) { return std::string(words); }
};

std::string text_of(const Complaint& complaint, Language language = Language::en);

}  // namespace sluice
