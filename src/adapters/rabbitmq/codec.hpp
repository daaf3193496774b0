#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/ticket.hpp"

namespace sluice::rabbitmq {

/// What our messages say that they are.
inline constexpr std::string_view kContentType = "application/vnd.sluice.tickets";

inline constexpr std::size_t kMostTickets = 512;  // in one message

/// The body of a message: three letters, a version, how many tickets, and then each of them with
/// one length and the highest byte of a number first.
std::string encode(std::span<const Ticket> tickets);

/// Whatever anybody may have put into the queue. Or why it cannot be read.
std::expected<std::vector<Ticket>, std::string> decode(std::string_view body);

}  // namespace sluice::rabbitmq
