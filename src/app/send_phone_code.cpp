#include "app/send_phone_code.hpp"

#include "base/outage.hpp"

namespace sluice {

Task<Done> SendPhoneCode::send(CodePurpose purpose, std::string phone, Word word) {
    const bool is_known = co_await book_.is_taken(phone);
    if (!is_known && purpose != CodePurpose::registration) co_return Done{};
    const auto now = clock_.now();
    constexpr auto minutes = static_cast<int>(PhoneCodes::kLife.count());
    auto code = codes_.issue(purpose, phone);
    auto text = word(code, minutes);
    PhoneMessage message{.id = std::to_string(ids_.next(now)),
                         .phone = std::move(phone),
                         .text = std::move(text),
                         .code = std::move(code),
                         .minutes = minutes,
                         .good_until = now + PhoneCodes::kLife};
    if (!outbox_.put({.message = std::move(message), .not_before = now}))
        throw Overload("too many messages wait");
    co_return Done{};
}

}  // namespace sluice
