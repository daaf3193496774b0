#include "workers/claim_line.hpp"

namespace sluice {

ClaimLine::ClaimLine(const Parts& parts)
    : gate_(parts.gate),
      orders_(parts.orders),
      outbox(parts.gate, parts.orders, parts.log),
      hot_copies(parts.gate, parts.orders, outbox, parts.visit_sales, parts.clock, parts.log),
      settler(parts.gate, outbox, [this](SaleId sale) { hot_copies.suspect(sale); }),
      reaper(parts.gate, parts.orders, settler, parts.clock, parts.log),
      expirer(parts.orders, outbox, parts.clock, parts.log, parts.is_time_proven),
      copy_rounds(
          "hot_copy_keeper", HotCopyKeeper::kPause,
          [this] { return hot_copies.look_after_copies(); }, parts.log),
      expiry_rounds(
          "hold_expirer", std::chrono::seconds{1}, [this] { return expirer.expire_due(); },
          parts.log) {}

Purchase ClaimLine::make_purchase(OrderIntake& intake, const TicketMarks& marks, EntryDesk& desk) {
    return {gate_, intake, orders_, settler, marks, desk};
}

}  // namespace sluice
