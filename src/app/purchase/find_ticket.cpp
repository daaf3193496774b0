#include "app/purchase/find_ticket.hpp"

#include <chrono>
#include <exception>

#include "base/outage.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

Absences::Question absence_of(const FindTicket::Question& question) {
    return {question.asked.buyer.value, question.asked.what, question.changes};
}

/// After that a broker that has messages is no reason any more to doubt what is not found: they are
/// of later claims.
constexpr auto kLongestQueue = 24h;
/// A writer has taken and decided the last ticket within this time after the queue was seen empty.
constexpr auto kLongestLook = 60s;

/// A claim whose ticket is not in the journal yet.
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
std::optional<FindTicket::Question> FindTicket::question_if_possible(SaleId sale,
                                                                     const Asked& asked) const {
    const auto shown = catalog_.sale(sale);
    if (!shown) return std::nullopt;
    const auto glance = gate_.glance(sale, asked.buyer);
    const auto now = clock_.now();
    Question question{.asked = asked, .changes = glance.changes};
    question.may_be_queued = may_be_queued(shown->sale, glance.warm, now);
    if (question.may_be_queued) return question;
    const bool is_certain = glance.warm && (!asked.is_by_id || gate_.sees_claims_at_once());
    if (is_certain && !glance.history) return std::nullopt;
    if (absences_.contains(absence_of(question), asked.at)) return std::nullopt;
    // Without a copy a claim that is being written may be known to nobody.
    question.may_note_absence = glance.warm || closed_because(shown->sale, now) == Reason::ended;
    return question;
}

/// Open claims are lost with the hot copy. The next copy has a later epoch, whose number is the
/// time at which it began.
bool FindTicket::may_be_queued(const Sale& sale, bool has_copy, Timestamp now) const {
    if (!queue_) return false;
    if (has_copy) {
        const bool is_first = sale.epoch <= Sale{}.epoch;
        const auto age = now - from_millis(sale.epoch);
        if (is_first || age > kLongestQueue) return false;
        return age < kLongestLook || queue_();
    }
    if (closed_because(sale, now) != Reason::ended) return true;  // there will be one
    const auto end = end_of(sale);
    return end && now - *end < kLongestQueue && queue_();
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
    if (!record) conclude_absence(question);
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
    if (!latest) conclude_absence(question);
    co_return latest;
}

void FindTicket::conclude_absence(const Question& question) {
    if (question.may_be_queued) throw Outage("the ticket may wait at the broker");
    if (question.may_note_absence) absences_.note(absence_of(question), question.asked.at);
}

}  // namespace sluice
