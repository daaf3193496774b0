#include "simulation/witness.hpp"

#include <algorithm>
#include <limits>

#include "app/catalog/sold_out_flags.hpp"

namespace sluice::simulation {
namespace {

using http::Code;

/// The client is told to send the same request again.
bool wants_it_again(Code code) {
    return code == Code::paused || code == Code::gate_closed || is_temporary_outage(code);
}

/// A ledger decides these once for a wish. All others are decided anew each time.
bool is_lasting(Reason reason) {
    return reason == Reason::sold_out || reason == Reason::limit_reached || reason == Reason::ended;
}

const char* name_of(Question question) {
    switch (question) {
        case Question::buy:
            return "buying";
        case Question::pass:
            return "asking for a pass";
        case Question::ticket:
            return "looking at a ticket";
        case Question::my_ticket:
            return "looking for the latest ticket";
        case Question::order:
            return "looking at an order";
        case Question::cancel:
            return "cancelling";
        case Question::sale:
            return "looking at the sale";
        case Question::operate:
            return "operating";
    }
    return "";
}

}  // namespace

Watch::Watch(Subject subject, const Shelf& shelf, const Process& process, Timestamp now)
    : subject_(std::move(subject)),
      faults_before_(process.schedule.faults_struck()),
      given_up_before_(shelf.given_up(subject_.sale, subject_.buyer)),
      least_limit_(std::numeric_limits<std::int64_t>::max()) {
    look(shelf, process, now);
}

void Watch::look(const Shelf& shelf, const Process& process, Timestamp now) {
    look_at_sale(shelf.sales.at(subject_.sale), now);
    if (const auto shown = process.catalog.sale(subject_.sale)) look_at_sale(shown->sale, now);
    look_at_units(shelf, process);
    look_at_record(shelf, now);
    if (!subject_.pass_expires || *subject_.pass_expires <= now) facts_.pass_over = true;
    if (process.schedule.faults_struck() > faults_before_) facts_.fault = true;
}

void Watch::look_at_sale(const Sale& sale, Timestamp now) {
    if (sale.ended_at || (sale.ends_at && now >= *sale.ends_at)) facts_.ended = true;
    if (sale.paused) facts_.paused = true;
    if (now < sale.starts_at) facts_.not_started = true;
    if (subject_.quantity > sale.limit_per_buyer) facts_.above_limit = true;
    least_limit_ = std::min(least_limit_, sale.limit_per_buyer);
}

void Watch::look_at_units(const Shelf& shelf, const Process& process) {
    const auto [id, buyer] = std::pair(subject_.sale, subject_.buyer);
    const auto shown = process.catalog.sale(id);
    const auto glance = process.hot().glance(id, buyer);
    const auto left = std::min(shelf.sales.at(id).stock.left, glance.left);
    if (left < subject_.quantity || SoldOutFlags::is_up(*shown)) facts_.too_few = true;
    const auto units = std::max(shelf.units_of(id, buyer), glance.units);
    if (units + subject_.quantity > least_limit_) facts_.too_many = true;
    const auto places = std::max<std::int64_t>(glance.left, 0) * shown->sale.gate_factor;
    if (static_cast<std::int64_t>(process.desk.places().places(id)) >= places)
        facts_.gate_full = true;
    if (glance.units > shelf.units_of(id, buyer)) facts_.on_the_way = true;
    const auto epoch = process.planted_gate.epoch_of(id);
    if (!glance.warm || epoch != shown->sale.epoch || epoch != shelf.sales.at(id).epoch)
        facts_.cold = true;
}

void Watch::look_at_record(const Shelf& shelf, Timestamp now) {
    bool has_any = false;
    for (const auto& [record, buyer] : shelf.journal) {
        if (buyer != subject_.buyer || record.id.sale != subject_.sale) continue;
        has_any = true;
        if (record.reason && is_lasting(*record.reason)) facts_.on_record.insert(*record.reason);
    }
    if (shelf.given_up(subject_.sale, subject_.buyer) > given_up_before_) facts_.given_up = true;
    if (subject_.question == Question::my_ticket && !has_any) facts_.absent = true;
    if (subject_.ticket && !shelf.find(*subject_.ticket)) facts_.absent = true;
    if (!subject_.order) return;
    const auto order = shelf.orders.find(*subject_.order);
    if (order == shelf.orders.end())
        facts_.absent = true;
    else if (!is_pending_at(order->second, now))
        facts_.not_pending = true;
}

std::optional<std::string> Watch::objection(const Answer& answer) const {
    const auto who = "user " + subject_.buyer.text() + ", " + name_of(subject_.question) +
                     " in sale " + subject_.sale.text() + ", hears " + answer.summary();
    if (!answer.problem && answer.status >= 300) return who + " without a reason";
    if (!answer.problem) return objection_to_ticket(answer);
    const bool has_lapsed =
        *answer.problem == Code::gate_closed &&
        (answer.text("reason") == "pass_lapsed" || answer.text("reason") == "place_missed") &&
        may_have_lapsed();
    if (!has_lapsed && !may_be_told(*answer.problem))
        return who + ", and it was not so at any instant";
    if (wants_it_again(*answer.problem) && !answer.retry_after) return who + ", but not when";
    return std::nullopt;
}

/// A ticket is queued as long as the journal does not have it.
std::optional<std::string> Watch::objection_to_ticket(const Answer& answer) const {
    if (subject_.question != Question::ticket || answer.text("state") != "queued" || facts_.absent)
        return std::nullopt;
    return "ticket " + subject_.ticket->text() + " is shown as queued, and was on record";
}

/// Only a place can lapse, and only a buyer who has asked can have one. The answer may have been
/// lost, or the place was drawn for them later.
bool Watch::may_have_lapsed() const {
    return subject_.question == Question::pass && subject_.has_asked_before;
}

bool Watch::may_be_told(Code code) const {
    if (facts_.tampered) return true;
    const auto asked = [this](auto... questions) {
        return ((subject_.question == questions) || ...);
    };
    const bool enters = asked(Question::buy, Question::pass);
    const auto decided = [this](Reason reason) { return facts_.on_record.contains(reason); };
    switch (code) {
        case Code::ended:
            return (enters || asked(Question::operate)) && (facts_.ended || decided(Reason::ended));
        case Code::paused:
            // The same request, sent twice at once, is one try, and both get the answer that ended
            // it.
            return enters && (facts_.paused || facts_.given_up);
        case Code::not_started:
            return enters && facts_.not_started;
        case Code::sold_out:
            return enters && (facts_.too_few || decided(Reason::sold_out));
        case Code::limit_reached:
            return enters && (facts_.too_many || decided(Reason::limit_reached));
        case Code::gate_closed:
            return asked(Question::pass) && facts_.gate_full;
        case Code::pass_invalid:
            return asked(Question::buy) && facts_.pass_over;
        case Code::idempotency_mismatch:
            return subject_.quantities && subject_.quantities->size() > 1;
        case Code::invalid:
            return (asked(Question::buy) && facts_.above_limit) || asked(Question::operate);
        case Code::conflict:
            return asked(Question::operate) || (asked(Question::cancel) && facts_.not_pending);
        case Code::not_found:
            return asked(Question::ticket, Question::my_ticket) && facts_.absent;
        case Code::busy:
            return facts_.fault || facts_.given_up || facts_.on_the_way;
        case Code::unavailable:
            return facts_.fault || facts_.cold;
        case Code::outcome_unknown:
            return facts_.fault;
        default:
            return false;
    }
}

std::shared_ptr<Watch> Witness::watch(Subject subject, const Shelf& shelf, const Process& process,
                                      Timestamp now) {
    auto watch = std::make_shared<Watch>(std::move(subject), shelf, process, now);
    watches_.push_back(watch);
    return watch;
}

void Witness::look(const Shelf& shelf, const Process& process, Timestamp now) {
    std::erase_if(watches_, [](const auto& watch) { return watch.expired(); });
    for (const auto& watch : watches_)
        if (const auto alive = watch.lock()) alive->look(shelf, process, now);
}

}  // namespace sluice::simulation
