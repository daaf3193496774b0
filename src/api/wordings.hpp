#pragma once

#include <string>
#include <string_view>

#include "domain/refusal.hpp"
#include "http/language.hpp"

namespace sluice::api {

// The texts of the API for people, in each language. The texts of the codes stand in
// http/problem.cpp, those of the rules that a field breaks in domain/complaint.cpp, and all others
// here.

/// Why the API itself refuses. Reasons from the domain are a Detail.
enum class Remark {
    too_many_streams_of_user,
    too_many_streams_of_address,
    too_many_exports,
    bad_signature,
    message_not_object,
    message_not_understood,
    no_such_sales,
    too_many_watched,
    ticket_not_written,
    ticket_is_ordered,
    send_csv,
    not_a_picture,
};
inline constexpr std::size_t kRemarks = static_cast<std::size_t>(Remark::not_a_picture) + 1;

/// Empty where the code's own text says everything.
std::string_view wording_of(Detail, http::Language);
std::string_view wording_of(Remark, http::Language);

/// The message to a phone with a code that is valid for so many minutes.
std::string message_with_code(std::string_view code, int minutes, http::Language);

}  // namespace sluice::api
