#include "workers/alert_watch.hpp"

#include <utility>

namespace sluice {
namespace {

std::string count_of(std::uint64_t n, std::string_view one, std::string_view many) {
    return std::to_string(n) + ' ' + std::string(n == 1 ? one : many);
}

/// By how much a counter has grown; stores its new value.
std::uint64_t growth(std::uint64_t& known, std::uint64_t now) {
    return now - std::exchange(known, now);
}

}  // namespace

AlertWatch::AlertWatch(AlertDesk& desk, const Catalog& catalog, Sources sources,
                       unsigned errors_percent, const Clock& clock)
    : desk_(desk),
      catalog_(catalog),
      sources_(std::move(sources)),
      errors_percent_(errors_percent),
      clock_(clock),
      started_at_(clock.now()),
      drifts_(sources_.drifts()),
      given_up_(sources_.given_up()) {}

Task<> AlertWatch::look() {
    const auto now = clock_.now();
    look_at_parts();
    look_at_answers(now);
    look_at_counts();
    look_at_backups(now);
    look_at_queue(now);
    look_at_factors();
    look_at_sales(now);
    co_return;
}

void AlertWatch::look_at_parts() {
    for (auto& part : sources_.parts()) {
        std::optional<std::string> failure, complaint;
        if (!part.is_ready)
            failure = std::move(part.detail);
        else if (!part.detail.empty())
            complaint = std::move(part.detail);
        desk_.report(AlertKind::not_ready, part.name, std::move(failure));
        desk_.report(AlertKind::impaired, std::move(part.name), std::move(complaint));
    }
    auto doubt = sources_.clock();
    desk_.report(AlertKind::clock, {},
                 doubt.empty() ? std::nullopt : std::optional(std::move(doubt)));
}

void AlertWatch::look_at_answers(Timestamp now) {
    const auto answers = sources_.answers();
    // A time in the future comes from a clock that was set back since.
    if (!samples_.empty() && samples_.back().at > now) samples_.clear();
    samples_.push_back({now, answers});
    while (samples_.size() > 2 && now - samples_[1].at >= kWindow) samples_.pop_front();
    const auto& first = samples_.front().answers;
    const auto all = answers.all - first.all;
    // Answers for paused sales are subtracted after they were counted, so this may seem to fall.
    const auto failed = answers.failed - std::min(answers.failed, first.failed);
    const bool is_bad = failed >= kFewFailures && failed * 100 >= all * errors_percent_;
    std::optional<std::string> trouble;
    if (is_bad)
        trouble = std::to_string(failed) + " of " + std::to_string(all) +
                  " answers within a minute were 5xx";
    desk_.report(AlertKind::errors, {}, std::move(trouble));
}

void AlertWatch::look_at_counts() {
    if (const auto drifts = growth(drifts_, sources_.drifts()))
        desk_.note(AlertKind::drift, {}, count_of(drifts, "copy", "copies"));
    if (growth(given_up_, sources_.given_up()) > 0)
        desk_.note(AlertKind::webhook_given_up, {},
                   count_of(given_up_, "delivery", "deliveries") + " since the start");
}

void AlertWatch::look_at_backups(Timestamp now) {
    const auto backups = sources_.backups();
    if (!backups) return;
    const auto fresh_until =
        backups->newest.value_or(started_at_) + kBackupsMissed * backups->every;
    std::optional<std::string> trouble;
    if (now > fresh_until)
        trouble = backups->newest ? "the newest one was begun at " + to_rfc3339(*backups->newest)
                                  : "there is none yet";
    desk_.report(AlertKind::backup_old, {}, std::move(trouble));
}

void AlertWatch::look_at_queue(Timestamp now) {
    const auto queue = sources_.queue();
    if (!queue) return;
    std::optional<std::string> late, parked, unconfirmed, redelivered;
    if (queue->oldest > kLate * queue->promised)
        late = "the oldest has waited for " +
               std::to_string(std::chrono::floor<std::chrono::seconds>(*queue->oldest).count()) +
               " s";
    if (queue->parked > 0)
        parked = count_of(static_cast<std::uint64_t>(queue->parked), "ticket", "tickets") +
                 ": send again or refuse";
    if (unconfirmed_.is_bad(queue->unconfirmed, 1, now))
        unconfirmed = count_of(queue->unconfirmed, "message", "messages") +
                      " since the start were returned, refused or not answered; their tickets went "
                      "by the ledger";
    if (redelivered_.is_bad(queue->redelivered, kManyRedelivered, now))
        redelivered = "writers end or lose their connections before they acknowledge";
    desk_.report(AlertKind::queue_late, {}, std::move(late));
    desk_.report(AlertKind::ticket_parked, {}, std::move(parked));
    desk_.report(AlertKind::unconfirmed, {}, std::move(unconfirmed));
    desk_.report(AlertKind::redelivered, {}, std::move(redelivered));
}

bool AlertWatch::Growth::is_bad(std::uint64_t count, std::uint64_t bad, Timestamp now) {
    const auto restart = [&] {
        began_ = now;
        count_ = count;
    };
    // A begin in the future was taken from a clock that has been set back.
    if (!began_ || *began_ > now) restart();
    const bool is_bad = count - count_ >= bad;
    const bool result = is_bad || was_bad_;
    if (now - *began_ >= kWindow) {
        was_bad_ = is_bad;
        restart();
    }
    return result;
}

void AlertWatch::look_at_factors() {
    for (const auto& each : sources_.guessed_factors())
        desk_.note(AlertKind::second_factor_guessed, each.user.text(),
                   each.name + ": " + count_of(each.wrong, "wrong code", "wrong codes") +
                       " within a day; the audit trail has the address");
}

void AlertWatch::look_at_sales(Timestamp now) {
    std::set<SaleId> found;
    catalog_.visit_sales([&](const std::shared_ptr<const DisplayedSale>& shown) {
        const auto stock = shown->stock->now();
        if (stock.left > 0) return;
        const auto& sale = shown->sale;
        const bool was = sold_out_.contains(sale.id);
        const bool is = state_at(sale, stock, now) == SaleState::sold_out;
        // A sale that was sold out and is paused now is not reported again when it resumes.
        if (was || is) found.insert(sale.id);
        if (is && !was && has_seen_sales_)
            desk_.note(AlertKind::sold_out, sale.id.text(), shown->item->title);
    });
    sold_out_.swap(found);
    has_seen_sales_ = true;
}

}  // namespace sluice
