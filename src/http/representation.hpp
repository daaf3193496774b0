#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "http/gzip.hpp"

namespace sluice::http {

/// Content that does not change, with its compressed forms; an empty form does not exist.
struct Representation {
    std::string plain, brotli, gzip;
    std::string_view type;
    std::string_view cache_control = "no-cache";
    std::string headers{};  // sent with every answer
    std::string etag{};

    /// Called when the forms are there: makes the ETag and the headers.
    void finish();
    /// In the form that the client prefers, or 304 when the client has it. Lends its bytes.
    void answer(Exchange& exchange) const;
    /// Only the body, in the form that the client prefers.
    void lend(Exchange& exchange) const;
};

/// Makes the answer to a GET smaller on its way out: 304 where the client has the same bytes, gzip
/// where it accepts that. Only answers of 200 to safe methods are touched. So a refusal costs
/// nothing more, and no secret (which only answers to a POST contain) is ever compressed beside
/// something that an attacker may choose.
class Condenser {
  public:
    /// Anything shorter fits into one packet anyway.
    static constexpr std::size_t kWorthIt = 1400;
    /// While the event loop is later than this, saving time matters more than saving bytes.
    static constexpr std::chrono::milliseconds kTooLate{20};

    void condense(Exchange& exchange);

  private:
    Gzip gzip_{Gzip::Effort::fast};
};

}  // namespace sluice::http
