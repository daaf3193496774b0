#include "adapters/sqlite/archive/archive_returns.hpp"

#include <algorithm>

#include "adapters/sqlite/archive/archive_move.hpp"
#include "base/run_to_end.hpp"

namespace sluice::sqlite {
namespace {

/// Refunds and events that wait for a sale; beyond this they are told to come again.
constexpr std::size_t kWaiting = 64;

}  // namespace

ArchiveReturns::ArchiveReturns(Writer& writer, std::filesystem::path ledger)
    : ledgers::ArchiveReturns(writer),
      writer_(writer),
      ledger_(std::move(ledger)),
      thread_("archive", 1, kWaiting) {}

ArchiveReturns::~ArchiveReturns() {
    stop_ = true;
}

Task<Done> ArchiveReturns::bring_back(SaleId sale) {
    auto start = [this, sale](Completion<Done> completion) {
        // Shared, because a job that finds no room is destroyed with its captures.
        auto tell = std::make_shared<Completion<Done>>(std::move(completion));
        const bool taken = thread_.submit([this, sale, tell] {
            try {
                bring_back_now(sale);
                (*tell)(nullptr, Done{});
            } catch (const Error& error) {
                (*tell)(std::make_exception_ptr(Outage(error.what())), Done{});
            } catch (const ArchiveError& error) {
                (*tell)(std::make_exception_ptr(sql::ArchiveAway(error.what())), Done{});
            } catch (...) {
                (*tell)(std::current_exception(), Done{});
            }
        });
        if (!taken)
            (*tell)(std::make_exception_ptr(Overload("other sales are being brought back")), {});
    };
    return await_completion<Done>(std::move(start));
}

/// If another return of the same sale has just ended, it is in the ledger.
void ArchiveReturns::bring_back_now(SaleId sale) {
    auto reader = Database::open_reader(ledger_);
    const auto plan = plan_return(reader, sale);
    if (!plan) return;
    std::span<const UserId> buyers(plan->buyers);
    while (!buyers.empty()) {
        if (stop_) throw Outage("the server ends");
        const auto some = buyers.first(std::min(ReturnPlan::kBuyers, buyers.size()));
        const auto still_archived = run_to_end(writer_.write<bool>(
            [sale, some](Database& ledger) { return return_buyers(ledger, sale, some); }));
        if (!still_archived) return;
        buyers = buyers.subspan(some.size());
    }
    run_to_end(
        writer_.write<bool>([&plan](Database& ledger) { return conclude_return(ledger, *plan); }));
}

}  // namespace sluice::sqlite
