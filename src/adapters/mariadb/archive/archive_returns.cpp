#include "adapters/mariadb/archive/archive_returns.hpp"

#include <algorithm>
#include <span>

#include "adapters/mariadb/archive/archive_move.hpp"
#include "adapters/sql/archive_away.hpp"
#include "base/run_to_end.hpp"

namespace sluice::mariadb {
namespace {

/// Refunds and events that wait for a sale; beyond this they are told to come again.
constexpr std::size_t kWaitingReturns = 64;
/// How many seconds to wait, one by one, for another process that moves sales.
constexpr int kLockTries = 20;

}  // namespace

ArchiveReturns::ArchiveReturns(WriterGroup& writer, ServerAddress address)
    : ledgers::ArchiveReturns(writer),
      writer_(writer),
      address_(std::move(address)),
      thread_("archive", 1, kWaitingReturns) {}

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
    Connection connection(address_, kLongPatience);
    connection.connect();
    ArchiveLock lock(connection);
    for (int tries = 1; !lock.take(std::chrono::seconds{1}); ++tries) {
        if (stop_) throw Outage("the server ends");
        if (tries == kLockTries) throw Outage("another process moves archived sales");
    }
    const auto plan = plan_return(connection, sale);
    if (!plan) return;
    std::span<const UserId> buyers(plan->buyers);
    while (!buyers.empty()) {
        if (stop_) throw Outage("the server ends");
        const auto some = buyers.first(std::min(ReturnPlan::kBuyers, buyers.size()));
        const auto still_archived =
            run_to_end(writer_.write<bool>([sale, some](sql::Database& ledger) {
                return return_buyers(dynamic_cast<Connection&>(ledger), sale, some);
            }));
        if (!still_archived) return;
        buyers = buyers.subspan(some.size());
    }
    run_to_end(writer_.write<bool>([&plan](sql::Database& ledger) {
        return conclude_return(dynamic_cast<Connection&>(ledger), *plan);
    }));
}

}  // namespace sluice::mariadb
