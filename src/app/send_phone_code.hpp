#pragma once

#include <functional>

#include "app/message_outbox.hpp"
#include "app/phone_book.hpp"
#include "app/phone_codes.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Sends a code to a phone. Nobody hears from the answer, or from the time it takes, whether the
/// phone has an account: it is looked up in any case, and the message goes out later. Whoever
/// registers a phone that is taken gets a code, and hears of it only when they show that.
class SendPhoneCode {
  public:
    SendPhoneCode(PhoneBook& book, PhoneCodes& codes, MessageOutbox& outbox, const Clock& clock,
                  IdSource& ids)
        : book_(book), codes_(codes), outbox_(outbox), clock_(clock), ids_(ids) {}

    /// What the message says.
    using Word = std::function<std::string(std::string_view code, int minutes)>;

    struct Wish {
        CodePurpose purpose = CodePurpose::registration;
        std::string phone;  // canonical
        CodeBearer bearer{};
        bool repeats = false;  // a message has just gone there: no other is sent
    };
    /// Whether a message goes out, which is nobody else's business. Throws Overload when too many
    /// messages wait or too many codes are out, whatever the phone, and Outage.
    Task<bool> send(Wish wish, Word word);

  private:
    PhoneBook& book_;
    PhoneCodes& codes_;
    MessageOutbox& outbox_;
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
