#pragma once

#include <optional>

#include "adapters/sql/ledgers/engine.hpp"
#include "domain/refusal.hpp"
#include "ports/receipt.hpp"

namespace sluice::ledgers {

class Receipts final : public ReceiptLedger {
  public:
    Receipts(Writer& writer, Readers& readers) : writer_(writer), readers_(readers) {}

    Task<Outcome<Created>> find(Receipt receipt) override;
    Task<std::size_t> prune(Timestamp before, std::size_t limit) override;

  private:
    Writer& writer_;
    Readers& readers_;
};

/// ReceiptLedger::find, in a transaction of the caller.
Outcome<Created> find_receipt(Database&, const Receipt&);
void keep_receipt(Database&, const Receipt&);

/// Inside a write: calls create() -> Outcome<Done>, unless a request with the same key did so
/// before.
template <class Create>
Outcome<Created> create_once(Database& database, const std::optional<Receipt>& receipt,
                             Create create) {
    if (receipt) {
        auto earlier = find_receipt(database, *receipt);
        if (!earlier || earlier->first_answer) return earlier;
    }
    if (Outcome<Done> created = create(); !created) return std::unexpected(created.error());
    if (receipt) keep_receipt(database, *receipt);
    return Created{};
}

}  // namespace sluice::ledgers
