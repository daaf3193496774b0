#pragma once

#include <functional>

#include "app/accounts/message_outbox.hpp"
#include "app/accounts/phone_book.hpp"
#include "app/accounts/phone_codes.hpp"
#include "base/id_source.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Sends a code to a phone. Neither the answer nor its time reveals whether the phone has an
/// account: the phone is looked up in any case, and the message is sent later. Whoever registers a
/// phone that is taken gets a code too, and is told only after showing that code.
class SendPhoneCode {
  public:
    SendPhoneCode(PhoneBook& book, PhoneCodes& codes, MessageOutbox& outbox, const Clock& clock,
                  IdSource& ids)
        : book_(book), codes_(codes), outbox_(outbox), clock_(clock), ids_(ids) {}

    /// The text of the message.
    using Word = std::function<std::string(std::string_view code, int minutes)>;

    struct Wish {
        CodePurpose purpose = CodePurpose::registration;
        std::string phone;  // canonical
        CodeBearer bearer{};
        bool repeats = false;  // a message was just sent there: no other is sent
    };
    /// Whether a message is sent, which only the sender may know. Throws Overload when too many
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
