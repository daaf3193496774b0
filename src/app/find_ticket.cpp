#include "app/find_ticket.hpp"

#include <exception>

#include "base/outage.hpp"

namespace sluice {
namespace {

Absences::Question absence_of(const FindTicket::Question& question) {
    return {question.asked.buyer.value, question.asked.what, question.changes};
}

/// The record for a claim whose ticket is not in the journal yet.
TicketRecord queued(TicketId id) {
    TicketRecord record;
    record.id = id;
    return record;
}

}  // namespace

/// An absence counts while the number of the buyer's changes stays the same. The order of the
/// look-ups makes that safe: first the number, then the open claims, then the journal. A claim is
/// settled after its commit. So a ticket that existed when the number was read is found by one of
/// the two look-ups, and a ticket that comes later raises the number.
std::optional<FindTicket::Question> FindTicket::worth_asking(SaleId sale,
                                                             const Asked& asked) const {
    if (!catalog_.sale(sale)) return std::nullopt;
    const auto glance = gate_.glance(sale, asked.buyer);
    const bool is_certain = glance.warm && (!asked.is_by_id || gate_.sees_claims_at_once());
    if (is_certain && !glance.history) return std::nullopt;
    const Question question{asked, glance.changes};
    if (absences_.contains(absence_of(question), asked.at)) return std::nullopt;
    return question;
}

Task<std::optional<TicketRecord>> FindTicket::find(TicketId id, Question question) {
    const auto buyer = question.asked.buyer;
    bool is_open = false;
    std::exception_ptr away;
    try {
        is_open = co_await gate_.is_open(id, buyer);
    } catch (const Outage&) {
        away = std::current_exception();
    }
    auto record = co_await ledger_.ticket(id, buyer);
    // What the journal has is valid even if the copy is away. What the journal does not have may be
    // an open claim.
    if (!record && away) std::rethrow_exception(away);
    if (!record && is_open) record = queued(id);
    if (!record) note_absence(question);
    co_return record;
}

Task<std::optional<TicketRecord>> FindTicket::find_latest(SaleId sale, Question question) {
    const auto buyer = question.asked.buyer;
    std::optional<TicketId> open;
    std::exception_ptr away;
    try {
        open = co_await gate_.latest_open(sale, buyer);
    } catch (const Outage&) {
        away = std::current_exception();
    }
    std::optional<TicketRecord> latest;
    if (open)
        latest = co_await ledger_.ticket(*open, buyer);
    else
        latest = co_await ledger_.latest_ticket(sale, buyer);
    if (!latest && away) std::rethrow_exception(away);
    if (!latest && open) latest = queued(*open);
    if (!latest) note_absence(question);
    co_return latest;
}

void FindTicket::note_absence(const Question& question) {
    absences_.note(absence_of(question), question.asked.at);
}

}  // namespace sluice
