#include "adapters/sqlite/ledgers/receipts.hpp"

#include "adapters/sqlite/engine/statements.hpp"

namespace sluice::sqlite {

Task<std::size_t> Receipts::prune(Timestamp before, std::size_t limit) {
    return writer_.write<std::size_t>([before, limit](Database& database) {
        return database.run(sql::prune_receipts, before, limit);
    });
}

Task<Outcome<Created>> Receipts::find(Receipt receipt) {
    return readers_.read<Outcome<Created>>([receipt = std::move(receipt)](Database& database) {
        return find_receipt(database, receipt);
    });
}

Outcome<Created> find_receipt(Database& database, const Receipt& receipt) {
    auto rows =
        database.query(sql::find_receipt, receipt.scope, receipt.key, receipt.at - kReceiptLife);
    if (!rows.step()) return Created{};
    if (rows.column<std::array<unsigned char, 32>>(0) != receipt.body_digest)
        return refuse(Reason::idempotency_mismatch);
    return Created{rows.column<std::string>(1)};
}

void keep_receipt(Database& database, const Receipt& receipt) {
    database.run(sql::keep_receipt, receipt.scope, receipt.key, receipt.body_digest, receipt.answer,
                 receipt.at);
}

}  // namespace sluice::sqlite
