#include "app/await_decision.hpp"

#include <algorithm>

#include "base/nap.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{100};

Task<std::optional<TicketRecord>> look(OrderLedger& ledger, TicketId id, UserId buyer) {
    try {
        auto record = co_await ledger.ticket(id, buyer);
        co_return record;
    } catch (const Outage&) {
    } catch (const Overload&) {
    }
    co_return std::nullopt;
}

}  // namespace

Task<TicketRecord> await_decision(OrderLedger& ledger, TicketRecord queued, UserId buyer,
                                  milliseconds longest) {
    Nap nap;
    for (auto left = longest; left > milliseconds::zero(); left -= kPause) {
        co_await nap.sleep(std::min(left, kPause));
        auto record = co_await look(ledger, queued.id, buyer);
        if (record && record->state != TicketState::prepared) co_return std::move(*record);
    }
    co_return queued;
}

}  // namespace sluice
