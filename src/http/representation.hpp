#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "http/gzip.hpp"

namespace sluice::http {

/// Content that does not change, with its compressed forms; those that are empty do not exist.
struct Representation {
    std::string plain, brotli, gzip;
    std::string_view type;
    std::string_view cache_control = "no-cache";
    std::string headers{};  // that go with every answer, as they are sent
    std::string etag{};

    /// Once the forms are there: makes the ETag and the headers.
    void finish();
    /// In the form that the client likes best, or 304 when it has it. Lends its bytes.
    void answer(Exchange& exchange) const;
};

/// Makes the answer to a GET smaller on its way out: 304 where the client has the same bytes, gzip
/// where it takes that. Only answers of 200 to safe methods are touched, so that a refusal costs
/// nothing more, and that no secret (they come with answers to a POST) is ever compressed beside
/// something that an attacker may choose.
class Condenser {
  public:
    /// What is shorter fits into one packet anyway.
    static constexpr std::size_t kWorthIt = 1400;
    /// While the event loop is later than this, its time is worth more than bytes.
    static constexpr std::chrono::milliseconds kTooLate{20};

    void condense(Exchange& exchange);

  private:
    Gzip gzip_{Gzip::Effort::fast};
};

}  // namespace sluice::http
