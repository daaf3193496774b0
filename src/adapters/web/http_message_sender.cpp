#include "adapters/web/http_message_sender.hpp"

#include <array>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include "domain/event_signature.hpp"

namespace sluice::web {
namespace {

std::string escaped(std::string_view text) {
    const auto quoted = boost::json::serialize(boost::json::string(text.data(), text.size()));
    return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::string fill_in(std::string_view body, const PhoneMessage& message) {
    const std::array<std::pair<std::string_view, std::string>, 4> gaps{
        {{"{phone}", escaped(message.phone)},
         {"{code}", escaped(message.code)},
         {"{minutes}", std::to_string(message.minutes)},
         {"{text}", escaped(message.text)}}};
    std::string filled;
    while (!body.empty()) {
        bool found = false;
        for (const auto& [gap, value] : gaps) {
            if (!body.starts_with(gap)) continue;
            filled += value;
            body.remove_prefix(gap.size());
            found = true;
            break;
        }
        if (found) continue;
        filled += body.front();
        body.remove_prefix(1);
    }
    return filled;
}

Task<MessageSender::Answer> HttpMessageSender::send(PhoneMessage message) {
    Poster::Letter letter{
        .url = options_.url, .body = fill_in(options_.body, message), .headers = {}};
    letter.headers.emplace_back(kSignatureHeader,
                                sign_event(options_.secret, letter.body, clock_.now()));
    letter.headers.emplace_back("Idempotency-Key", message.id);
    const auto answer = co_await poster_.post(std::move(letter));
    if (is_success(answer)) co_return Answer{};
    const auto sent = may_pass(answer) ? Sent::try_again : Sent::refused;
    auto reason = answer.status == 0 ? answer.failure
                                     : "the gateway answered " + std::to_string(answer.status);
    co_return Answer{sent, std::move(reason)};
}

}  // namespace sluice::web
