#include "workers/webhook_courier.hpp"

#include <algorithm>

#include "base/backoff.hpp"
#include "domain/event_signature.hpp"

namespace sluice {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestSleep = std::chrono::hours{1};
constexpr milliseconds kRest = std::chrono::seconds{2};
constexpr milliseconds kBetweenCounts = std::chrono::seconds{5};
constexpr std::size_t kLongestError = 200;
constexpr auto kFarewell = std::chrono::seconds{1};

}  // namespace

WebhookCourier::WebhookCourier(WebhookLedger& ledger, Poster& poster, WebhookSecrets secrets,
                               Describe describe, const Clock& clock, const Clock& outside,
                               Random& random, Log& log, Pace pace, std::function<void()> on_place)
    : ledger_(ledger),
      poster_(poster),
      secrets_(secrets),
      describe_(std::move(describe)),
      clock_(clock),
      outside_(outside),
      random_(random),
      log_(log),
      pace_(pace),
      on_place_(std::move(on_place)) {}

Task<milliseconds> WebhookCourier::deliver_due() {
    auto& loop = co_await own_executor();
    const auto now = clock_.now();
    if (finishing_) co_return kLongestSleep;
    if (resumes_ && now < *resumes_) co_return *resumes_ - now;
    co_await count_backlog(now);
    for (auto& [id, traffic] : traffic_) traffic.ended.clear();
    // Deliveries under way are still due in the ledger, so ask for enough to find others behind
    // them.
    auto receivers = co_await ledger_.due(now, 2 * pace_.at_once);
    has_receivers_ = !receivers.empty();
    auto sleep = kLongestSleep;
    for (auto& receiver : receivers) {
        auto& traffic = traffic_[receiver.webhook.id];
        for (auto& due : receiver.due)
            if (has_place(traffic, now) && !traffic.under_way.contains(due.event.id) &&
                !traffic.ended.contains(due.event.id))
                begin(loop, receiver.webhook, std::move(due));
        if (receiver.next) sleep = std::min<milliseconds>(sleep, *receiver.next - now);
        if (traffic.resumes && *traffic.resumes > now)
            sleep = std::min<milliseconds>(sleep, *traffic.resumes - now);
    }
    std::erase_if(traffic_, [&](const auto& entry) {
        return entry.second.under_way.empty() &&
               std::ranges::none_of(
                   receivers, [&](const auto& each) { return each.webhook.id == entry.first; });
    });
    co_return sleep;
}

Task<> WebhookCourier::finish() {
    finishing_ = true;
    if (under_way_ > 0) co_await farewell_.sleep(kFarewell);
    if (under_way_ == 0) co_return;
    poster_.hang_up();
    while (under_way_ > 0) co_await farewell_.sleep();
}

double WebhookCourier::oldest_seconds() const {
    const auto oldest = oldest_.load();
    if (oldest == 0) return 0;
    return static_cast<double>(std::max<std::int64_t>(0, to_millis(clock_.now()) - oldest)) / 1000;
}

bool WebhookCourier::has_place(const Traffic& traffic, Timestamp now) const {
    if (traffic.resumes && now < *traffic.resumes) return false;
    return traffic.under_way.size() < (traffic.silences > 0 ? 1 : pace_.at_once);
}

void WebhookCourier::begin(Executor& loop, const Webhook& webhook, WebhookLedger::DueDelivery due) {
    const DeliveryId id{webhook.id, due.event.id};
    traffic_[webhook.id].under_way.insert(due.event.id);
    ++under_way_;
    loop.post([this, &loop, id, webhook, due = std::move(due)]() mutable {
        start_task(loop, deliver(std::move(webhook), std::move(due)),
                   [this, id](std::exception_ptr failure) { end(id, failure); });
    });
}

void WebhookCourier::end(DeliveryId id, std::exception_ptr failure) {
    traffic_[id.webhook].under_way.erase(id.event);
    traffic_[id.webhook].ended.insert(id.event);
    --under_way_;
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        // The receiver may have got it, and would get it again at once, so wait a little.
        resumes_ = clock_.now() + kRest;
        log_.warn("webhook.not_noted", {{"delivery", id.text()}, {"reason", error.what()}});
    }
    if (under_way_ == 0) farewell_.end();
    if (!finishing_) on_place_();
}

Task<> WebhookCourier::deliver(Webhook webhook, WebhookLedger::DueDelivery due) {
    const DeliveryId id{webhook.id, due.event.id};
    const auto answer = co_await send(webhook, id, due.event);
    auto attempt = judge(answer, due);
    watch(webhook, id, answer, attempt);
    const auto outcome = static_cast<std::size_t>(attempt.state);
    co_await ledger_.note(id, std::move(attempt));
    ++outcomes_[outcome];
}

Task<Poster::Answer> WebhookCourier::send(Webhook webhook, DeliveryId id, WebhookEvent event) {
    auto body = describe_(event);
    if (!body) {
        Poster::Answer answer;
        answer.failure = "what it tells of is not known here yet";
        co_return answer;
    }
    Poster::Letter letter;
    letter.url = webhook.url;
    letter.headers = {
        {std::string(kSignatureHeader), sign_event(secrets_.of(webhook.id), *body, outside_.now())},
        {"Sluice-Event", std::string(to_string(event.type))},
        {"Sluice-Event-Id", event.id.text()},
        {"Sluice-Delivery-Id", id.text()}};
    letter.body = std::move(*body);
    auto answer = co_await poster_.post(std::move(letter));
    co_return answer;
}

WebhookLedger::Attempt WebhookCourier::judge(const Poster::Answer& answer,
                                             const WebhookLedger::DueDelivery& due) {
    const auto now = clock_.now();
    WebhookLedger::Attempt attempt;
    attempt.at = now;
    if (answer.status != 0) attempt.status = answer.status;
    if (!answer.failure.empty()) attempt.error = answer.failure.substr(0, kLongestError);
    if (is_success(answer)) return attempt;
    if (now - due.since >= pace_.patience) {
        attempt.state = DeliveryState::dead;
        return attempt;
    }
    attempt.state = DeliveryState::pending;
    // The last attempt is made when the time is over, not a pause later.
    attempt.again = std::min<Timestamp>(now + pause_after(due.attempts),
                                        std::max<Timestamp>(now, due.since + pace_.patience));
    return attempt;
}

/// Logs what an operator has to know, and not each attempt at a dead receiver. Addresses are left
/// out: their paths are often secrets.
void WebhookCourier::watch(const Webhook& webhook, DeliveryId id, const Poster::Answer& answer,
                           const WebhookLedger::Attempt& attempt) {
    auto& traffic = traffic_[webhook.id];
    const bool failed = !is_success(answer);
    if (failed && !traffic.failing)
        log_.warn("webhook.failing", {{"webhook", webhook.id.text()},
                                      {"delivery", id.text()},
                                      {"status", answer.status},
                                      {"reason", answer.failure}});
    if (!failed && traffic.failing)
        log_.info("webhook.recovered", {{"webhook", webhook.id.text()}});
    if (attempt.state == DeliveryState::dead)
        log_.warn("webhook.dead", {{"webhook", webhook.id.text()}, {"delivery", id.text()}});
    traffic.failing = failed;
    // The receiver is away: the next events would fail in the same way.
    if (answer.status != 0) {
        traffic.silences = 0;
        traffic.resumes.reset();
    } else if (!traffic.resumes || attempt.at >= *traffic.resumes) {
        const auto rest = std::min(pause_after(traffic.silences++), pace_.longest_rest);
        traffic.resumes = attempt.at + rest;
    }
}

milliseconds WebhookCourier::pause_after(std::int64_t attempts) {
    std::array<unsigned char, 2> bytes;
    random_.fill(bytes);
    const double chance = (bytes[0] << 8 | bytes[1]) / 65'535.0;
    return Backoff{pace_.first_pause, pace_.longest_pause}.after(attempts, chance);
}

Task<> WebhookCourier::count_backlog(Timestamp now) {
    if (!has_receivers_) {
        counted_.reset();
        backlog_ = 0;
        oldest_ = 0;
        co_return;
    }
    // A time in the future comes from a clock that was set back since.
    if (counted_ && *counted_ <= now && now - *counted_ < kBetweenCounts) co_return;
    counted_ = now;
    const auto counted = co_await ledger_.backlog();
    backlog_ = counted.pending;
    oldest_ = counted.oldest ? to_millis(*counted.oldest) : 0;
}

}  // namespace sluice
