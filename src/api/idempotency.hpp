#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "http/exchange.hpp"
#include "ports/clock.hpp"
#include "ports/receipt.hpp"

namespace sluice::api {

inline constexpr std::string_view kIdempotencyKey = "Idempotency-Key";
/// The complaint about a key that is not valid.
inline Complaint not_idempotency_key() {
    return {Rule::ascii_from_to, 1, 128};
}

bool is_idempotency_key(std::string_view text);

/// Makes the receipts of requests with an Idempotency-Key.
class Receipts {
  public:
    /// Bodies are hashed with a key, since they may contain a password.
    Receipts(const std::array<unsigned char, 32>& key, const Clock& clock, ReceiptLedger& ledger)
        : key_(key), clock_(clock), ledger_(ledger) {}

    /// `whose`: distinguishes the key's owner from others. False: the key is not valid, and the
    /// exchange holds the problem. Without a key there is no receipt.
    bool make(http::Exchange& exchange, std::string_view whose,
              std::optional<Receipt>& receipt) const {
        return make(exchange, whose, exchange.request.body, receipt);
    }
    /// For a body with a password: `content` is what makes two such requests the same, without the
    /// password.
    bool make(http::Exchange& exchange, std::string_view whose, std::string_view content,
              std::optional<Receipt>& receipt) const;

    /// Whether the request was carried out before. Then the exchange holds the first answer, even
    /// if things have changed since.
    Task<bool> replay(http::Exchange& exchange, const std::optional<Receipt>& receipt) const;

  private:
    const std::array<unsigned char, 32> key_;
    const Clock& clock_;
    ReceiptLedger& ledger_;
};

/// Answers a creation: 201 with its body, or the first answer again, or the refusal.
void answer_created(http::Exchange& exchange, const Outcome<Created>& created, std::string body);

}  // namespace sluice::api
