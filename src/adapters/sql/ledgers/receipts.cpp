#include "adapters/sql/ledgers/receipts.hpp"

#include <array>
#include <tuple>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::ledgers {

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
    using Row = std::tuple<std::array<unsigned char, 32>, std::string>;
    auto found =
        database.row<Row>(sql::find_receipt, receipt.scope, receipt.key, receipt.at - kReceiptLife);
    if (!found) return Created{};
    auto& [digest, answer] = *found;
    if (digest != receipt.body_digest) return refuse(Reason::idempotency_mismatch);
    return Created{std::move(answer)};
}

void keep_receipt(Database& database, const Receipt& receipt) {
    database.run(sql::keep_receipt, receipt.scope, receipt.key, receipt.body_digest, receipt.answer,
                 receipt.at);
}

}  // namespace sluice::ledgers
