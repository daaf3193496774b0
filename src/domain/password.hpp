#pragma once

#include <optional>
#include <string_view>

#include "domain/complaint.hpp"

namespace sluice {

/// What is wrong with a password that somebody wants to have from now on; nullopt when nothing is.
/// Refused are those that are among the first a guesser tries: common words, with whatever digits
/// and signs before and after them, runs and repetitions, and the phone itself.
std::optional<Complaint> check_new_password(std::string_view password, std::string_view phone);

/// A word that many people use, a run such as 12345678 or qwertyui, or few characters repeated.
bool is_common_password(std::string_view password);

}  // namespace sluice
