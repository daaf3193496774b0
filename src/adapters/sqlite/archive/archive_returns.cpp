#include "adapters/sqlite/archive/archive_returns.hpp"

#include <algorithm>
#include <span>

#include "adapters/sqlite/archive/archive_move.hpp"
#include "base/run_to_end.hpp"

namespace sluice::sqlite {

// Whoever waited for another return of the same sale finds it in the ledger.
void return_by_writer(Writer& writer, const std::filesystem::path& file, SaleId sale,
                      const std::stop_token& stop) {
    auto reader = Database::open_reader(file);
    const auto plan = plan_return(reader, sale);
    if (!plan) return;
    std::span<const UserId> buyers(plan->buyers);
    while (!buyers.empty()) {
        if (stop.stop_requested()) throw Outage("the server ends");
        const auto some = buyers.first(std::min(ReturnPlan::kBuyers, buyers.size()));
        const auto still_archived = run_to_end(writer.write<bool>(
            [sale, some](Database& ledger) { return return_buyers(ledger, sale, some); }));
        if (!still_archived) return;
        buyers = buyers.subspan(some.size());
    }
    run_to_end(
        writer.write<bool>([&plan](Database& ledger) { return conclude_return(ledger, *plan); }));
}

}  // namespace sluice::sqlite
