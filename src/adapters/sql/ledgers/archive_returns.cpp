#include "adapters/sql/ledgers/archive_returns.hpp"

#include <memory>
#include <utility>

#include "adapters/sql/archive_away.hpp"
#include "adapters/sql/archived_tables.hpp"
#include "adapters/sql/store_error.hpp"

namespace sluice::ledgers {
namespace {

/// Writes that wait for a sale; more are told to come again.
constexpr std::size_t kWaitingReturns = 64;

}  // namespace

ArchiveReturns::ArchiveReturns(Writer& writer, BringBack bring_back)
    : writer_(writer), bring_back_(std::move(bring_back)), thread_("archive", 1, kWaitingReturns) {}

ArchiveReturns::~ArchiveReturns() {
    stop_.request_stop();
}

Task<Done> ArchiveReturns::bring_back(SaleId sale) {
    auto start = [this, sale](Completion<Done> completion) {
        // Shared, because a job that finds no room is gone with all it held.
        auto tell = std::make_shared<Completion<Done>>(std::move(completion));
        const bool taken = thread_.submit([this, sale, tell] {
            try {
                bring_back_(sale, stop_.get_token());
                (*tell)(nullptr, Done{});
            } catch (const StoreError& error) {
                (*tell)(std::make_exception_ptr(Outage(error.what())), Done{});
            } catch (const sql::ArchiveError& error) {
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

}  // namespace sluice::ledgers
