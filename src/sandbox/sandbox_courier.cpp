#include "sandbox/sandbox_courier.hpp"

#include "base/backoff.hpp"
#include "domain/event_signature.hpp"

namespace sluice::sandbox {
namespace {

constexpr std::size_t kPerRound = 64;
constexpr std::chrono::milliseconds kLongSleep = std::chrono::hours{1};

constexpr Backoff kPauses{std::chrono::seconds{1}, SandboxCourier::kLongestPause};

}  // namespace

Task<std::chrono::milliseconds> SandboxCourier::deliver_due() {
    for (;;) {
        const auto now = clock_.now();
        auto post = co_await ledger_.post(now, kPerRound);
        for (auto& letter : post.due) co_await deliver(std::move(letter));
        if (!post.due.empty()) continue;
        if (!post.next) co_return kLongSleep;
        co_return *post.next - now;
    }
}

Task<> SandboxCourier::deliver(SandboxLedger::Letter letter) {
    Poster::Letter post;
    post.url = webhook_;
    post.headers = {
        {std::string(kSignatureHeader), sign_event(secret_, letter.body, clock_.now())}};
    post.body = std::move(letter.body);
    const auto answer = co_await poster_.post(std::move(post));
    if (is_success(answer)) {
        co_await ledger_.note_delivered(letter.id, clock_.now());
        co_return;
    }
    std::optional<Timestamp> next;
    if (letter.attempts + 1 < kMostAttempts) next = clock_.now() + kPauses.after(letter.attempts);
    log_.warn(next ? "sandbox.put_off" : "sandbox.given_up", {{"letter", letter.id.text()},
                                                              {"attempts", letter.attempts + 1},
                                                              {"status", answer.status},
                                                              {"reason", answer.failure}});
    co_await ledger_.put_off(letter.id, next);
}

}  // namespace sluice::sandbox
