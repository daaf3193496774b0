#include "adapters/sql/ledgers/receipts.hpp"

#include <tuple>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "domain/catalog_rules.hpp"

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
    using Row = std::tuple<BodyDigest, std::string>;
    auto found =
        database.row<Row>(sql::find_receipt, receipt.scope, receipt.key, receipt.at - kReceiptLife);
    auto earlier = found.transform([](Row& row) {
        return EarlierRequest{std::get<BodyDigest>(row), std::get<std::string>(std::move(row))};
    });
    auto answer = first_answer(std::move(earlier), receipt.body_digest);
    if (!answer) return std::unexpected(std::move(answer.error()));
    return Created{std::move(*answer)};
}

void keep_receipt(Database& database, const Receipt& receipt) {
    database.run(sql::keep_receipt, receipt.scope, receipt.key, receipt.body_digest, receipt.answer,
                 receipt.at);
}

}  // namespace sluice::ledgers
