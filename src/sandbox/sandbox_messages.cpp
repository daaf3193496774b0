#include "sandbox/sandbox_messages.hpp"

#include <boost/json/array.hpp>

#include "api/answers.hpp"

namespace sluice::sandbox {

Task<MessageSender::Answer> SandboxMessages::send(PhoneMessage message) {
    {
        const MutexLock lock(mutex_);
        kept_.push_front({std::move(message.phone), std::move(message.text), clock_.now()});
        if (kept_.size() > kKept) kept_.pop_back();
    }
    co_return Answer{};
}

http::Pending SandboxMessages::show(http::Exchange& exchange) {
    if (!is_on_) {
        exchange.refuse(http::Code::not_found);
        return std::nullopt;
    }
    boost::json::array messages;
    {
        const MutexLock lock(mutex_);
        for (const auto& [phone, text, at] : kept_)
            messages.push_back({{"phone", phone}, {"text", text}, {"at", to_rfc3339(at)}});
    }
    api::answer(exchange, 200, {{"messages", std::move(messages)}});
    exchange.response.cache_control = "no-store";
    return std::nullopt;
}

}  // namespace sluice::sandbox
