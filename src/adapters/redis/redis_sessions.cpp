#include "adapters/redis/redis_sessions.hpp"

#include <algorithm>
#include <iterator>

#include <sodium.h>

#include "adapters/redis/bad_reply.hpp"

namespace sluice::redis {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

/// Other nodes may know a later expiry that is not written yet.
constexpr std::chrono::minutes kSlack{2};
constexpr std::chrono::days kLongestCopy{30};

std::string make_token() {
    std::array<unsigned char, 12> bytes;
    randombytes_buf(bytes.data(), bytes.size());
    return to_base64url(bytes);
}

Session read_session(const Reply& reply) {
    const auto user = UserId::parse(reply[1].text());
    const auto role = parse_role(reply[3].text());
    if (!user || !role) throw BadReply("Redis has a session that is none");
    return {.user_id = *user,
            .name = std::string(reply[2].text()),
            .role = *role,
            .expires_at = from_millis(reply[5].number()),
            .ends_at = from_millis(reply[6].number()),
            .strong = reply[4].number() == 1};
}

}  // namespace

Task<std::optional<Session>> RedisSessions::add(OpenedSession opened) {
    const auto key = opened.key;
    auto session = co_await ledger_.add(std::move(opened));
    std::string nothing_seen;
    if (session) co_await put(key, std::move(nothing_seen), *session);
    co_return session;
}

Task<std::optional<Session>> RedisSessions::find(SessionKey key, Timestamp now) {
    auto copy = co_await look(key);
    if (!copy) co_return co_await ledger_.find(key, now);
    if (copy->session && copy->session->expires_at <= now) copy->session.reset();
    const bool is_paused = Steady::now() < ledger_paused_until_.load();
    if (copy->session && (copy->is_checked || is_paused)) co_return copy->session;
    co_return co_await ask_ledger(key, now, std::move(*copy));
}

/// nullopt: Redis is away.
Task<std::optional<RedisSessions::Copy>> RedisSessions::look(SessionKey key) {
    Call call{.script = &script("session_find"), .words = {keys_.session(key)}};
    try {
        const auto reply = co_await client_.call(std::move(call));
        is_away_ = false;
        Copy copy;
        if (reply.size() > 0) copy.token = reply[0].text();
        if (reply.size() > 1) {
            copy.session = read_session(reply);
            copy.is_checked = reply[7].number() == 1;
        }
        co_return copy;
    } catch (const Outage&) {
        is_away_ = true;
    } catch (const Overload&) {
        is_away_ = true;
    }
    co_return std::nullopt;
}

Task<std::optional<Session>> RedisSessions::ask_ledger(SessionKey key, Timestamp now, Copy copy) {
    // The copy's expiry may have moved while the ledger could not be told. Then the session is
    // valid even if the row's own time is over.
    const auto as_of = copy.session ? Timestamp{} : now;
    std::optional<Session> session;
    std::exception_ptr failure;
    try {
        session = co_await ledger_.find(key, as_of);
    } catch (const Outage&) {
        failure = std::current_exception();
    } catch (const Overload&) {
        failure = std::current_exception();
    }
    if (failure) {
        if (!copy.session) std::rethrow_exception(failure);
        ledger_paused_until_ = Steady::now() + kLedgerPause;
        co_return copy.session;
    }
    if (!session) co_return std::nullopt;
    if (copy.session) session->expires_at = std::max(session->expires_at, copy.session->expires_at);
    co_await put(key, std::move(copy.token), *session);
    co_return session;
}

Task<Done> RedisSessions::put(SessionKey key, std::string seen, Session session) {
    Call call{.script = &script("session_put"),
              .words = {keys_.session(key), std::move(seen), make_token(),
                        millis_to_live(session.expires_at), session.user_id.text(), session.name,
                        std::string(to_string(session.role)), session.strong ? "1" : "0",
                        std::to_string(to_millis(session.expires_at)),
                        std::to_string(to_millis(session.ends_at))}};
    std::vector<Call> one;
    one.push_back(std::move(call));
    // Without a copy the next look-up asks the ledger again.
    co_await run_all(std::move(one));
    co_return Done{};
}

Task<std::vector<SessionKey>> RedisSessions::extend(std::vector<Extension> extensions) {
    std::vector<Call> calls;
    for (const auto& [key, expires_at] : extensions)
        calls.push_back({.script = &script("session_extend"),
                         .words = {keys_.session(key), std::to_string(to_millis(expires_at)),
                                   millis_to_live(expires_at)}});
    co_await run_all(std::move(calls));
    auto gone = co_await ledger_.extend(std::move(extensions));
    if (!gone.empty()) co_await drop(gone);
    co_return gone;
}

Task<Done> RedisSessions::drop(std::vector<SessionKey> changed) {
    std::vector<Call> calls;
    for (const auto& key : changed)
        calls.push_back(
            {.script = &script("session_drop"), .words = {keys_.session(key), make_token()}});
    const bool done = co_await run_all(std::move(calls));
    if (done) co_return Done{};
    const MutexLock lock(mutex_);
    for (const auto& key : changed)
        if (undropped_.size() < kMostUndropped) undropped_.insert(key);
    co_return Done{};
}

Task<> RedisSessions::catch_up() {
    std::set<SessionKey> undropped;
    {
        const MutexLock lock(mutex_);
        undropped.swap(undropped_);
    }
    if (undropped.empty()) co_return;
    std::vector<SessionKey> keys(undropped.begin(), undropped.end());
    co_await drop(std::move(keys));
}

/// Whether Redis did all of them.
Task<bool> RedisSessions::run_all(std::vector<Call> calls) {
    try {
        for (std::size_t begin = 0; begin < calls.size(); begin += Client::kMostAtOnce) {
            const auto first = calls.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto count = std::min(Client::kMostAtOnce, calls.size() - begin);
            std::vector<Call> some(
                std::make_move_iterator(first),
                std::make_move_iterator(first + static_cast<std::ptrdiff_t>(count)));
            co_await client_.call_all(std::move(some));
        }
        is_away_ = false;
        co_return true;
    } catch (const Outage&) {
        is_away_ = true;
    } catch (const Overload&) {
        is_away_ = true;
    }
    co_return false;
}

milliseconds RedisSessions::freshness() const {
    return is_away_ ? kFreshnessWithoutCopies : kFreshness;
}

std::string RedisSessions::millis_to_live(Timestamp expires_at) const {
    const auto left = std::chrono::duration_cast<milliseconds>(expires_at + kSlack - clock_.now());
    const auto bounded = std::clamp<milliseconds>(left, milliseconds{1'000}, kLongestCopy);
    return std::to_string(bounded.count());
}

}  // namespace sluice::redis
