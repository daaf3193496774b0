#pragma once

#include <optional>

#include "adapters/sqlite/writer.hpp"
#include "domain/refusal.hpp"
#include "ports/receipt.hpp"

namespace sluice::sqlite {

class Receipts final : public ReceiptLedger {
  public:
    explicit Receipts(Writer& writer) : writer_(writer) {}

    Task<std::size_t> prune(Timestamp before, std::size_t limit) override;

  private:
    Writer& writer_;
};

/// The receipt kept earlier under the same scope and key, unless its day is over.
std::optional<Receipt> find_receipt(Database&, const Receipt& of);
void keep_receipt(Database&, const Receipt&);

/// Inside a write: create() -> Outcome<Done>, unless a request with the same key did so before.
template <class Create>
Outcome<Created> create_once(Database& database, const std::optional<Receipt>& receipt,
                             Create create) {
    if (receipt) {
        if (auto first = find_receipt(database, *receipt)) {
            if (first->body_digest != receipt->body_digest)
                return refuse(Reason::idempotency_mismatch);
            return Created{std::move(first->answer)};
        }
    }
    if (Outcome<Done> created = create(); !created) return std::unexpected(created.error());
    if (receipt) keep_receipt(database, *receipt);
    return Created{};
}

}  // namespace sluice::sqlite
