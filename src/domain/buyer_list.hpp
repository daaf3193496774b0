#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "domain/ids.hpp"
#include "domain/phone.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// People on the list of a sale. Uploads are as small as any other request, so a long list comes in
/// pieces; this bounds all of it.
inline constexpr std::int64_t kMostListed = 1'000'000;
inline constexpr std::size_t kMostListErrors = 20;

/// Somebody on a list: a user, or a phone in its canonical form. Somebody who registers later with
/// that phone is on the list too.
using ListedBuyer = std::variant<UserId, std::string>;

/// How many are on a list.
struct ListCounts {
    std::int64_t listed = 0;
    std::int64_t phones = 0;  // among them; the others are ids

    friend bool operator==(const ListCounts&, const ListCounts&) = default;
};

/// What a CSV says: either the buyers, or what is wrong with which line.
struct ReadList {
    std::vector<ListedBuyer> buyers;  // sorted, each once
    std::vector<FieldError> errors;   // only the first kMostListErrors
};

/// Reads CSV of one column. A first line without a digit is the name of the column; `phone` and
/// `id` say what it has. Otherwise each line is taken for what it looks like: 16 digits and more
/// without + and leading 0 are an id, all else is a phone. Spaces and hyphens in a phone are left
/// out, and so is an apostrophe in front, by which spreadsheets mark text. A byte order mark and
/// empty lines are passed over.
ReadList read_buyer_list(std::string_view csv, const PhoneForm& form);

}  // namespace sluice
