#pragma once

#include <string>
#include <string_view>

#include "domain/ticket.hpp"

namespace sluice::redis {

/// A ticket as an open claim has it: the letter `c`, for claimed, which the scripts change, and
/// what the ledger needs to know of it. The mark stands beside it, as the name of the field.
std::string to_record(const Ticket& ticket);
/// Throws BadReply when it is none.
Ticket from_record(SaleId sale, std::string_view mark, std::string_view record);

std::string to_text(const Mark& mark);
/// Throws BadReply when it has not 16 bytes.
Mark to_mark(std::string_view bytes);

}  // namespace sluice::redis
