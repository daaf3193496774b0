#pragma once

#include <string>
#include <string_view>

#include "domain/ticket.hpp"

namespace sluice::redis {

/// A ticket as an open claim stores it: the letter `c` (for claimed), which the scripts change, and
/// what the ledger needs to know. The mark is not included: it is the name of the field.
std::string to_record(const Ticket& ticket);
/// Throws BadReply when it is not valid.
Ticket from_record(SaleId sale, std::string_view mark, std::string_view record);

std::string to_text(const Mark& mark);
/// Throws BadReply unless it has 16 bytes.
Mark to_mark(std::string_view bytes);

}  // namespace sluice::redis
