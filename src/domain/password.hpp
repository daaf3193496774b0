#pragma once

#include <optional>
#include <string_view>

#include "domain/complaint.hpp"

namespace sluice {

/// The owner of the password: what others know of them is tried early.
struct PasswordOwner {
    std::string_view phone;
    std::string_view name{};
};

/// What is wrong with a new password; nullopt when nothing is. Refused are the phone itself, and
/// anything made of little more than pieces that a guesser tries first: common words in any
/// spelling, runs of neighbours, repetitions, dates, and the owner's phone and name.
std::optional<Complaint> check_new_password(std::string_view password, const PasswordOwner& owner);

}  // namespace sluice
