#include "adapters/redis/redis_entry_desk.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "adapters/redis/bad_reply.hpp"

namespace sluice::redis {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// At least one, since Redis accepts no smaller time.
std::string millis_until(Timestamp when, Timestamp now) {
    return std::to_string(std::max<std::int64_t>((when - now).count(), 1));
}

EntryDesk::Full::Why why_of(std::int64_t number) {
    using Why = EntryDesk::Full::Why;
    for (const auto why : {Why::taken, Why::lapsed, Why::missed})
        if (number == static_cast<int>(why)) return why;
    throw BadReply("Redis gave an unknown reason to wait for a place");
}

}  // namespace

Task<EntryDesk::Answer> RedisEntryDesk::enter(Request request) {
    // A claim that was noted before must be known before its buyer asks again.
    auto claims = take_claims_of(request.entrant);
    auto calls = calls_of(claims);
    calls.push_back(enter_call(request));
    std::exception_ptr failure;
    try {
        const auto replies = co_await client_.call_all(std::move(calls));
        co_return read(replies.back(), request.entrant);
    } catch (...) {
        failure = std::current_exception();
    }
    put_back(std::move(claims));
    std::rethrow_exception(failure);
}

Call RedisEntryDesk::enter_call(const Request& request) {
    const auto call = [&](std::string what) {
        return call_of(std::move(what), request.entrant, request.most_places);
    };
    if (request.only_again) return call("again");
    if (!request.challenge) return call("take");
    if (const auto* formula = std::get_if<ShownFormula>(&*request.challenge)) {
        auto made = call("formula");
        made.words.push_back(to_base64url(formula->mark));
        made.words.push_back(formula->number ? std::to_string(*formula->number) : "");
        return made;
    }
    const auto& work = std::get<ShownWork>(*request.challenge);
    auto made = call("work");
    made.words.push_back(to_base64url(work.mark));
    made.words.emplace_back(work.is_right ? "1" : "0");
    made.words.push_back(std::to_string(to_millis(work.expires_at)));
    made.words.push_back(millis_until(work.expires_at, clock_.now()));
    return made;
}

Call RedisEntryDesk::call_of(std::string what, const Entrant& entrant, std::int64_t most_places) {
    Passes::Nonce nonce;
    random_.fill(nonce);
    std::array<unsigned char, 1> chance;
    random_.fill(chance);
    return {.script = &script("place_enter"),
            .words = {keys_.places(entrant.sale), std::move(what), entrant.buyer.text(),
                      std::to_string(most_places), std::to_string(to_millis(clock_.now())),
                      to_base64url(nonce), std::to_string(chance[0])}};
}

EntryDesk::Answer RedisEntryDesk::read(const Reply& reply, const Entrant& entrant) {
    lapses_.fetch_add(static_cast<std::uint64_t>(reply[3].number()), std::memory_order_relaxed);
    const auto verdict = reply[0].text();
    {
        const MutexLock lock(mutex_);
        auto& seen = sales_[entrant.sale];
        seen.idle_sweeps = 0;
        if (verdict == "placed") seen.places = std::max<std::int64_t>(seen.places, 1);
    }
    if (verdict == "placed") return make_pass(reply, entrant);
    if (verdict == "full")
        return Full{.retry_after = seconds(reply[1].number()), .why = why_of(reply[2].number())};
    if (verdict == "wrong") return Wrong{};
    if (verdict != "again") throw BadReply("Redis gave an unknown answer about a place");
    if (reply[1].text().empty()) return Again{};
    return Again{make_pass(reply, entrant)};
}

EntryDesk::Issued RedisEntryDesk::make_pass(const Reply& reply, const Entrant& entrant) {
    const auto until = from_millis(reply[1].number());
    Passes::Nonce nonce;
    if (!from_base64url(reply[2].text(), nonce))
        throw BadReply("Redis has a place without a nonce");
    has_issued_.store(true, std::memory_order_relaxed);
    return {passes_.make(entrant.buyer, entrant.sale, until, nonce), until};
}

Task<Done> RedisEntryDesk::keep(Entrant entrant, GivenFormula formula) {
    Call call{.script = nullptr,
              .words = {"SET", keys_.formula(entrant.sale, entrant.buyer),
                        to_base64url(formula.mark) + ' ' + std::to_string(formula.answer) + " 0",
                        "PX", millis_until(formula.expires_at, clock_.now())}};
    co_await client_.call(std::move(call));
    co_return Done{};
}

void RedisEntryDesk::note_claim(UserId buyer, SaleId sale, bool may_claim_more) {
    Call call{.script = &script("place_claim"),
              .words = {keys_.places(sale), buyer.text(), may_claim_more ? "1" : "0"}};
    const MutexLock lock(mutex_);
    if (claims_.size() < kMostClaims) claims_.push_back({{buyer, sale}, std::move(call)});
}

Task<> RedisEntryDesk::tell_claims() {
    for (auto claims = take_claims(); !claims.empty(); claims = take_claims()) {
        std::exception_ptr failure;
        try {
            co_await client_.call_all(calls_of(claims));
        } catch (...) {
            failure = std::current_exception();
        }
        if (!failure) continue;
        put_back(std::move(claims));
        std::rethrow_exception(failure);
    }
}

std::vector<Call> RedisEntryDesk::calls_of(const std::vector<Claim>& claims) {
    std::vector<Call> calls;
    for (const auto& claim : claims) calls.push_back(claim.call);
    return calls;
}

/// Those that were noted first, so many as may be sent at once.
std::vector<RedisEntryDesk::Claim> RedisEntryDesk::take_claims() {
    const MutexLock lock(mutex_);
    const auto end = claims_.begin() +
                     static_cast<std::ptrdiff_t>(std::min(claims_.size(), Client::kMostAtOnce));
    std::vector<Claim> claims(std::make_move_iterator(claims_.begin()),
                              std::make_move_iterator(end));
    claims_.erase(claims_.begin(), end);
    return claims;
}

std::vector<RedisEntryDesk::Claim> RedisEntryDesk::take_claims_of(const Entrant& entrant) {
    const MutexLock lock(mutex_);
    // Most buyers who ask have not claimed just now.
    if (std::ranges::find(claims_, entrant, &Claim::entrant) == claims_.end()) return {};
    const auto own = std::ranges::stable_partition(
        claims_, [&](const Claim& claim) { return claim.entrant != entrant; });
    std::vector<Claim> claims(std::make_move_iterator(own.begin()),
                              std::make_move_iterator(own.end()));
    claims_.erase(own.begin(), own.end());
    return claims;
}

/// Before those that were noted meanwhile. To tell one twice does no harm.
void RedisEntryDesk::put_back(std::vector<Claim> claims) {
    const MutexLock lock(mutex_);
    const auto room = kMostClaims - std::min(kMostClaims, claims_.size());
    if (claims.size() > room) claims.resize(room);
    claims_.insert(claims_.begin(), std::make_move_iterator(claims.begin()),
                   std::make_move_iterator(claims.end()));
}

Task<Done> RedisEntryDesk::sweep(std::function<bool(SaleId)> is_selling) {
    std::vector<SaleId> sales;
    {
        const MutexLock lock(mutex_);
        for (const auto& [sale, seen] : sales_) sales.push_back(sale);
    }
    for (std::span<const SaleId> left(sales); !left.empty();) {
        const auto some = left.first(std::min(left.size(), Client::kMostAtOnce));
        std::vector<Call> calls;
        for (const auto sale : some) {
            const Entrant nobody{UserId{}, sale};
            calls.push_back(call_of(is_selling(sale) ? "selling" : "closed", nobody, 0));
        }
        const auto replies = co_await client_.call_all(std::move(calls));
        for (std::size_t i = 0; i < some.size(); ++i) note_sweep(some[i], replies[i]);
        left = left.subspan(some.size());
    }
    co_return Done{};
}

void RedisEntryDesk::note_sweep(SaleId sale, const Reply& reply) {
    lapses_.fetch_add(static_cast<std::uint64_t>(reply[3].number()), std::memory_order_relaxed);
    const MutexLock lock(mutex_);
    const auto at = sales_.find(sale);
    if (at == sales_.end()) return;
    auto& seen = at->second;
    seen.places = reply[1].number();
    seen.waiting = reply[2].number();
    const bool is_idle = seen.places == 0 && seen.waiting == 0;
    seen.idle_sweeps = is_idle ? seen.idle_sweeps + 1 : 0;
    if (seen.idle_sweeps >= kIdleSweeps) sales_.erase(at);
}

bool RedisEntryDesk::has_places() const {
    const MutexLock lock(mutex_);
    return std::ranges::any_of(sales_, [](const auto& each) { return each.second.places > 0; });
}

std::size_t RedisEntryDesk::waiting() const {
    const MutexLock lock(mutex_);
    std::size_t count = 0;
    for (const auto& [sale, seen] : sales_) count += static_cast<std::size_t>(seen.waiting);
    return count;
}

}  // namespace sluice::redis
