#pragma once

#include <optional>
#include <string_view>

#include "app/absences.hpp"
#include "app/catalog.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Finds a buyer's ticket, among the open claims and in the journal. Many requests ask for invented
/// tickets or for those of somebody else: most of them cost no look-up. Safe from any thread.
class FindTicket {
  public:
    FindTicket(const Catalog& catalog, StockGate& gate, OrderLedger& ledger, Absences& absences)
        : catalog_(catalog), gate_(gate), ledger_(ledger), absences_(absences) {}

    struct Asked {
        UserId buyer;
        std::string_view what;  // as the request names it; outlives the search
        Absences::Instant at;
        bool is_by_id = false;  // asked by id, so a node may have just told the id
    };
    struct Question {
        Asked asked;
        std::int64_t changes = 0;  // of the buyer's claims in the sale, before the search
    };
    /// The question to search with; nullopt if it is certain that there is no such ticket. Does not
    /// wait.
    std::optional<Question> worth_asking(SaleId sale, const Asked& asked) const;

    /// The buyer's ticket: as the journal has it, or as queued while only its claim is open. An
    /// absence is remembered. May throw Outage.
    Task<std::optional<TicketRecord>> find(TicketId id, Question question);
    /// The same for the buyer's latest ticket in the sale.
    Task<std::optional<TicketRecord>> find_latest(SaleId sale, Question question);

  private:
    void note_absence(const Question& question);

    const Catalog& catalog_;
    StockGate& gate_;
    OrderLedger& ledger_;
    Absences& absences_;
};

}  // namespace sluice
