#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/ticket.hpp"

namespace sluice::rabbitmq {

/// The content type of our messages.
inline constexpr std::string_view kContentType = "application/vnd.sluice.tickets";

inline constexpr std::size_t kMostTickets = 512;  // in one message

/// The body of a message: three letters, a version, the number of tickets, and then the tickets,
/// all of the same length. The highest byte of a number comes first.
std::string encode(std::span<const Ticket> tickets);

/// Reads a body, which may contain anything, since anybody may have put it into the queue. Or
/// returns why it cannot be read.
std::expected<std::vector<Ticket>, std::string> decode(std::string_view body);

}  // namespace sluice::rabbitmq
