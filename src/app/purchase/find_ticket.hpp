#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "app/catalog/catalog.hpp"
#include "app/purchase/absences.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Finds a buyer's ticket, among the open claims and in the journal. Many requests ask for invented
/// tickets or for those of somebody else: most of them cost no look-up. Safe from any thread.
class FindTicket {
  public:
    /// Whether a broker may hold tickets that no writer has decided yet.
    using MayHoldTickets = std::function<bool()>;
    /// Without a broker `queue` is empty.
    FindTicket(const Catalog& catalog, StockGate& gate, OrderLedger& ledger, Absences& absences,
               const Clock& clock, MayHoldTickets queue = nullptr)
        : catalog_(catalog),
          gate_(gate),
          ledger_(ledger),
          absences_(absences),
          clock_(clock),
          queue_(std::move(queue)) {}

    struct Asked {
        UserId buyer;
        std::string_view what;  // as the request names it; outlives the search
        Absences::Instant at;
        bool is_by_id = false;  // asked by id, so a node may have just told the id
    };
    struct Question {
        Asked asked;
        std::int64_t changes = 0;  // of the buyer's claims in the sale, before the search
        /// Its claim may have been lost with a hot copy, while the ticket waits at the broker.
        bool may_be_queued = false;
        bool may_note_absence = true;
    };
    /// The question to search with; nullopt if it is certain that there is no such ticket. Does not
    /// wait.
    std::optional<Question> question_if_possible(SaleId sale, const Asked& asked) const;

    /// The buyer's ticket: as the journal has it, or as queued while only its claim is open. An
    /// absence is remembered. May throw Outage: also when nobody can say that there is none.
    Task<std::optional<TicketRecord>> find(TicketId id, Question question);
    /// The same for the buyer's latest ticket in the sale.
    Task<std::optional<TicketRecord>> find_latest(SaleId sale, Question question);

  private:
    bool may_be_queued(const Sale& sale, bool has_copy, Timestamp now) const;
    void conclude_absence(const Question& question);

    const Catalog& catalog_;
    StockGate& gate_;
    OrderLedger& ledger_;
    Absences& absences_;
    const Clock& clock_;
    const MayHoldTickets queue_;
};

}  // namespace sluice
