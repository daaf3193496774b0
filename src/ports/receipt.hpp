#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "base/task.hpp"
#include "base/timestamp.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// How long a receipt is valid. Afterwards it does not count, even if it is still stored.
inline constexpr std::chrono::hours kReceiptLife{24};

/// The answer to a request with an Idempotency-Key, written in the same transaction as what the
/// request created: after a crash either both are there or neither.
struct Receipt {
    std::string scope;  // who and which route
    std::string key;
    std::array<unsigned char, 32> body_digest{};
    std::string answer;
    Timestamp at;  // remembered for kReceiptLife from here
};

/// The outcome of a creation.
struct Created {
    /// The first answer, when a request with the same key and body was carried out before; nothing
    /// was created now.
    std::optional<std::string> first_answer;
};

class ReceiptLedger {
  public:
    virtual ~ReceiptLedger() = default;

    /// The first answer, when a request with the same key and body was carried out before;
    /// idempotency_mismatch when its body was another. Only a hint that saves work: what counts is
    /// what the creating transaction finds.
    virtual Task<Outcome<Created>> find(Receipt receipt) = 0;

    /// Forgets at most `limit` receipts written before `before`; returns how many. May throw
    /// Outage.
    virtual Task<std::size_t> prune(Timestamp before, std::size_t limit) = 0;
};

}  // namespace sluice
