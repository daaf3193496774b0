#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/payment.hpp"
#include "domain/refusal.hpp"

namespace sluice {

using LetterId = Id<struct SandboxLetter>;

/// The records of the built-in provider: what it was asked to collect, and what it still has to
/// tell the shop. They outlive a crash, as those of a real provider would. May throw Outage, as
/// UserLedger.
class SandboxLedger {
  public:
    virtual ~SandboxLedger() = default;

    struct Account {
        std::string ref;
        PaymentId payment;
        std::int64_t amount_cents = 0;
        std::string currency;
        bool paid = false;
    };
    /// The payment's account, or `draft` when it has none yet.
    virtual Task<Account> open(Account draft, Timestamp now) = 0;
    virtual Task<std::optional<Account>> find(std::string ref) = 0;

    struct Letter {
        LetterId id;
        std::string body;
        Timestamp due_at;
        std::int64_t attempts = 0;
    };
    /// Writes the letters of one press of a button; `pays`: this pays the account. Refuses with
    /// not_found, and with conflict when it is paid already or has been tried too often.
    virtual Task<Outcome<Account>> press(std::string ref, bool pays,
                                         std::vector<Letter> letters) = 0;

    /// Sends the money back, once for the key, and stores the letter about it in the same
    /// transaction. Refuses with not_found when there is no paid account for it: it never took that
    /// money.
    virtual Task<Outcome<Done>> refund(std::string key, PaymentId payment, Charge charge,
                                       Letter letter) = 0;

    struct Post {
        std::vector<Letter> due;
        std::optional<Timestamp> next;  // when the next letter is due that is not due yet
    };
    virtual Task<Post> post(Timestamp now, std::size_t limit) = 0;
    virtual Task<Done> note_delivered(LetterId id, Timestamp now) = 0;
    /// nullopt: never again.
    virtual Task<Done> put_off(LetterId id, std::optional<Timestamp> until) = 0;

    /// Removes at most `limit` letters that will not be sent any more, and as many accounts, from
    /// before `before`; returns the larger of both numbers. Refunds are kept: if one is requested
    /// again under the same key, it must not be sent twice.
    virtual Task<std::size_t> prune(Timestamp before, std::size_t limit) = 0;
};

}  // namespace sluice
