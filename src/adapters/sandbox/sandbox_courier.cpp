#include "adapters/sandbox/sandbox_courier.hpp"

#include <algorithm>

#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include "domain/event_signature.hpp"

namespace sluice::sandbox {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

constexpr std::size_t kPerRound = 64;
constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::milliseconds kLongSleep = std::chrono::hours{1};
constexpr std::size_t kLongestAnswer = 64 * 1024;

std::chrono::seconds pause_after(std::int64_t attempts) {
    constexpr std::int64_t most = 6;  // 2^6 s is past the longest pause
    return std::min(SandboxCourier::kLongestPause,
                    std::chrono::seconds{1LL << std::min(attempts, most)});
}

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
    unsigned status = 0;
    std::string reason;
    try {
        status = co_await post(letter.body);
    } catch (const boost::system::system_error& failure) {
        reason = failure.what();
    }
    if (status / 100 == 2) {
        co_await ledger_.note_delivered(letter.id, clock_.now());
        co_return;
    }
    std::optional<Timestamp> next;
    if (letter.attempts + 1 < kMostAttempts) next = clock_.now() + pause_after(letter.attempts);
    log_.warn(next ? "sandbox.put_off" : "sandbox.given_up", {{"letter", letter.id.text()},
                                                              {"attempts", letter.attempts + 1},
                                                              {"status", status},
                                                              {"reason", reason}});
    co_await ledger_.put_off(letter.id, next);
}

Task<unsigned> SandboxCourier::post(std::string body) {
    const auto executor = co_await asio::this_coro::executor;
    beast::basic_stream<asio::ip::tcp, Executor> stream(executor);
    stream.expires_after(kPatience);
    co_await stream.async_connect(shop_, use_task);

    beast::http::request<beast::http::string_body> request(beast::http::verb::post,
                                                           "/api/v1/webhooks/payments/sandbox", 11);
    request.set(beast::http::field::host, "localhost");
    request.set(beast::http::field::content_type, "application/json");
    request.set(beast::http::field::connection, "close");
    request.set(kSignatureHeader, sign_event(secret_, body, clock_.now()));
    request.body() = std::move(body);
    request.prepare_payload();
    co_await beast::http::async_write(stream, request, use_task);

    beast::flat_buffer buffer;
    beast::http::response_parser<beast::http::string_body> answer;
    answer.body_limit(kLongestAnswer);
    co_await beast::http::async_read(stream, buffer, answer, use_task);
    co_return answer.get().result_int();
}

}  // namespace sluice::sandbox
