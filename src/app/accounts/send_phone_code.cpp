#include "app/accounts/send_phone_code.hpp"

#include "base/outage.hpp"

namespace sluice {

Task<bool> SendPhoneCode::send(Wish wish, Word word) {
    // Asked first: otherwise a refusal would reveal that the phone is known.
    if (outbox_.is_full() || codes_.is_full()) throw Overload("too many messages wait");
    const bool is_known = co_await book_.is_taken(wish.phone);
    if (wish.repeats) {
        co_await codes_.expect(wish.purpose, wish.phone, wish.bearer);
        co_return false;
    }
    if (!is_known && wish.purpose != CodePurpose::registration) co_return false;
    const auto now = clock_.now();
    constexpr auto minutes = static_cast<int>(PhoneCodes::kLife.count());
    auto code = co_await codes_.issue(wish.purpose, wish.phone, wish.bearer);
    auto text = word(code, minutes);
    PhoneMessage message{.id = std::to_string(ids_.next(now)),
                         .phone = std::move(wish.phone),
                         .text = std::move(text),
                         .code = std::move(code),
                         .minutes = minutes,
                         .good_until = now + PhoneCodes::kLife};
    const bool sent = outbox_.put({.message = std::move(message), .not_before = now});
    if (!sent) throw Overload("too many messages wait");
    co_return true;
}

}  // namespace sluice
