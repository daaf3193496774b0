#include "adapters/redis/redis_buyer_signals.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <sodium.h>

#include "base/outage.hpp"

namespace sluice::redis {
namespace {

constexpr auto kSignalsAtOnce = "100";  // entries
constexpr auto kLife = "3600";          // seconds after the last entry

std::string make_name() {
    std::array<unsigned char, 12> bytes;
    randombytes_buf(bytes.data(), bytes.size());
    return to_base64url(bytes);
}

/// The buyer, a letter for the kind, and the id: 17o99.
std::string to_text(const BuyerSignal& signal) {
    const auto* order = std::get_if<OrderId>(&signal.what);
    return signal.buyer.text() +
           (order ? 'o' + order->text() : 't' + std::get<TicketId>(signal.what).text());
}

/// nullopt: another version of the program may write other texts.
std::optional<BuyerSignal> parse_signal(std::string_view text) {
    const auto at = text.find_first_of("ot");
    if (at == text.npos) return std::nullopt;
    const auto buyer = UserId::parse(text.substr(0, at));
    const auto id = text.substr(at + 1);
    if (!buyer) return std::nullopt;
    if (text[at] == 'o')
        return OrderId::parse(id).transform(
            [&](OrderId order) { return BuyerSignal{*buyer, order}; });
    return TicketId::parse(id).transform(
        [&](const TicketId& ticket) { return BuyerSignal{*buyer, ticket}; });
}

std::vector<BuyerSignal> parse_signals(std::string_view text) {
    std::vector<BuyerSignal> signals;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        if (auto signal = parse_signal(text.substr(0, end))) signals.push_back(*signal);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return signals;
}

}  // namespace

RedisBuyerSignals::RedisBuyerSignals(Client& client, Client& following)
    : client_(client),
      following_(following),
      keys_(client.options().prefix),
      own_name_(make_name()) {}

void RedisBuyerSignals::send(std::vector<BuyerSignal> signals) {
    const MutexLock lock(waiting_mutex_);
    const auto taken = std::min(signals.size(), kMostWaiting - waiting_.size());
    waiting_.insert(waiting_.end(), signals.begin(),
                    signals.begin() + static_cast<std::ptrdiff_t>(taken));
    lost_.fetch_add(signals.size() - taken, std::memory_order_relaxed);
}

Subscription RedisBuyerSignals::listen(Listener listener) {
    const MutexLock lock(listener_mutex_);
    listener_ = std::move(listener);
    return Subscription([this] {
        const MutexLock end_lock(listener_mutex_);
        listener_ = nullptr;
    });
}

Task<> RedisBuyerSignals::pass_on() {
    std::vector<BuyerSignal> signals;
    {
        const MutexLock lock(waiting_mutex_);
        signals.swap(waiting_);
    }
    if (signals.empty()) co_return;
    const auto count = signals.size();
    std::vector<Call> calls;
    for (std::size_t begin = 0; begin < count; begin += kMostInEntry) {
        const auto first = signals.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto size = std::min(kMostInEntry, count - begin);
        calls.push_back(call_of({first, first + static_cast<std::ptrdiff_t>(size)}));
    }
    calls.push_back({.script = nullptr, .words = {"EXPIRE", keys_.buyer_signals(), kLife}});
    try {
        co_await client_.call_all(std::move(calls));
        co_return;
    } catch (const Outage&) {  // Redis is away, or its answer is not valid
    } catch (const Overload&) {
    }
    lost_.fetch_add(count, std::memory_order_relaxed);
}

Call RedisBuyerSignals::call_of(const std::vector<BuyerSignal>& signals) const {
    std::string text;
    for (const auto& signal : signals) {
        if (!text.empty()) text += ' ';
        text += to_text(signal);
    }
    return {.script = nullptr,
            .words = {"XADD", keys_.buyer_signals(), "MAXLEN", "~", std::to_string(kEntries), "*",
                      own_name_, std::move(text)}};
}

Task<> RedisBuyerSignals::follow() {
    // When Redis comes back, the stream may begin anew.
    return reading_.run([this] { return follow_once(); }, [this] { position_.reset(); });
}

Task<> RedisBuyerSignals::follow_once() {
    if (!position_) co_await find_end();
    Call call{.script = nullptr,
              .words = {"XREAD", "COUNT", kSignalsAtOnce, "BLOCK",
                        std::to_string(LogFollower::kWait.count()), "STREAMS",
                        keys_.buyer_signals(), *position_},
              .waits = LogFollower::kWait};
    const auto reply = co_await following_.call(std::move(call));
    if (reply.view().is_nil()) co_return;
    const auto entries = reply[0][1];
    for (std::size_t i = 0; i < entries.size(); ++i) {
        hear(entries[i]);
        position_ = entries[i][0].text();
    }
}

/// A new reader ignores what was sent before.
Task<Done> RedisBuyerSignals::find_end() {
    Call call{.script = nullptr,
              .words = {"XREVRANGE", keys_.buyer_signals(), "+", "-", "COUNT", "1"}};
    const auto last = co_await following_.call(std::move(call));
    position_ = last.size() == 0 ? "0-0" : std::string(last[0][0].text());
    co_return Done{};
}

void RedisBuyerSignals::hear(ReplyView entry) {
    const auto fields = entry[1];
    if (fields.size() != 2 || fields[0].text() == own_name_) return;
    auto signals = parse_signals(fields[1].text());
    const MutexLock lock(listener_mutex_);
    if (listener_ && !signals.empty()) listener_(std::move(signals));
}

}  // namespace sluice::redis
