#pragma once

#include <optional>
#include <string_view>

#include "domain/complaint.hpp"

namespace sluice {

/// Whose password it is to be: what others know of them is tried early.
struct PasswordOwner {
    std::string_view phone;
    std::string_view name{};
};

/// What is wrong with a password that somebody wants to have from now on; nullopt when nothing is.
/// Refused is the phone itself, and whatever is made of little more than pieces that a guesser
/// tries first: common words in any disguise, runs of neighbours, repetitions, dates, and the
/// owner's phone and name.
std::optional<Complaint> check_new_password(std::string_view password, const PasswordOwner& owner);

}  // namespace sluice
