#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "domain/legacy_password.hpp"
#include "domain/phone.hpp"
#include "domain/user.hpp"

namespace sluice {

/// One user of an older shop's table.
struct ImportedUser {
    std::size_t line = 0;
    std::string phone;
    std::string name;
    std::string salt;
    std::string digest;  // lower-case hex
    Role role = Role::buyer;
};

struct LineError {
    std::size_t line = 0;
    std::string message;
};

struct ImportedTable {
    std::vector<ImportedUser> users;
    std::vector<LineError> errors;  // only the first kMaxErrors
    bool more_errors = false;
};

inline constexpr std::size_t kMaxImportBytes = 256u << 20;
inline constexpr std::size_t kMaxImportedUsers = 1'000'000;
inline constexpr std::size_t kMaxImportErrors = 20;

/// Reads CSV with the columns phone,name,salt,hash,role; a first line with these names is skipped.
/// An empty name is replaced as at a registration, an empty role is buyer. Every line is checked,
/// so that a table is accepted as a whole or not at all. A phone that occurs twice, in any
/// spelling, is an error. Phones are returned in their canonical form.
ImportedTable read_import(std::string_view csv, const LegacyScheme& scheme,
                          const PhoneForm& form = PhoneForm());

}  // namespace sluice
