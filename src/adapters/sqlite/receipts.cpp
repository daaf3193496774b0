#include "adapters/sqlite/receipts.hpp"

#include "adapters/sqlite/statements.hpp"

namespace sluice::sqlite {

Task<std::size_t> Receipts::prune(Timestamp before, std::size_t limit) {
    return writer_.write<std::size_t>([before, limit](Database& database) {
        return database.run(sql::prune_receipts, before, limit);
    });
}

std::optional<Receipt> find_receipt(Database& database, const Receipt& of) {
    auto rows = database.query(sql::find_receipt, of.scope, of.key, of.at - kReceiptLife);
    if (!rows.step()) return std::nullopt;
    Receipt found = of;
    found.body_digest = rows.column<std::array<unsigned char, 32>>(0);
    found.answer = rows.column<std::string>(1);
    return found;
}

void keep_receipt(Database& database, const Receipt& receipt) {
    database.run(sql::keep_receipt, receipt.scope, receipt.key, receipt.body_digest, receipt.answer,
                 receipt.at);
}

}  // namespace sluice::sqlite
