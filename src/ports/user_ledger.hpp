#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/user.hpp"
#include "ports/receipt.hpp"
#include "ports/session_ledger.hpp"

namespace sluice {

/// A user with the means to recognise them. A user without a password hash cannot log in.
struct Account {
    User user;
    std::optional<std::string> password_hash;
};

/// A buyer made for load tests and rehearsals: no password, but a session.
struct MintedBuyer {
    User user;
    SessionKey session;
    Timestamp session_expires_at;
};

/// The system of record for users. Every call may throw Outage or Overload: then nothing has
/// happened. The exception is UnknownOutcome, after which it may have happened: look before you
/// repeat it. Calls may be made from any event loop and are resumed there.
class UserLedger {
  public:
    virtual ~UserLedger() = default;

    /// Refuses with conflict when the phone is taken, and with idempotency_mismatch when the
    /// receipt's key was used for another body.
    virtual Task<Outcome<Created>> add(Account account, std::optional<Receipt> receipt) = 0;

    virtual Task<std::optional<Account>> find_by_phone(std::string phone) = 0;
    virtual Task<std::optional<User>> find(UserId id) = 0;

    /// The newest first, older than `before` when given.
    struct Wanted {
        std::optional<std::string> phone;
        std::optional<Role> role;
        std::optional<UserId> before;
        std::size_t limit = 20;
    };
    virtual Task<std::vector<User>> list(Wanted wanted) = 0;

    /// At most `limit` users whose name begins with this text exactly, in no order. The cost
    /// follows the limit.
    virtual Task<std::vector<UserId>> find_named(std::string beginning, std::size_t limit) = 0;

    /// False when there is no such user. Ends all of the user's sessions, so that whoever knew the
    /// old password is logged out.
    virtual Task<bool> set_password_hash(UserId id, std::string hash, Deed deed) = 0;

    /// The user's own change: ends all of their sessions except `kept`, if given, and returns the
    /// keys of those that ended. nullopt when the hash is not `before` any more.
    struct PasswordChange {
        UserId user;
        std::string before, after;
        std::optional<SessionKey> kept;
        std::optional<Deed> deed;
    };
    virtual Task<std::optional<std::vector<SessionKey>>> change_password(PasswordChange change) = 0;

    /// The same password in another form: sessions stay. False when the hash is not `before` any
    /// more.
    virtual Task<bool> replace_password_hash(UserId id, std::string before, std::string after) = 0;

    /// The same phone in another spelling. False when the phone is not `before` any more, or when
    /// somebody has the other spelling.
    virtual Task<bool> set_phone(UserId id, std::string before, std::string after) = 0;

    /// False when there is no such user. Sessions carry the new role from their next look-up on.
    virtual Task<bool> set_role(UserId id, Role role, Deed deed) = 0;

    /// The same, for an operator. Refuses with conflict when the role is not `before` any more, or
    /// when no admin would be left.
    virtual Task<Outcome<Done>> change_role(UserId id, Role before, Role after, Deed deed) = 0;

    /// Adds all of them or none. Conflict when a phone is taken.
    virtual Task<Outcome<Done>> mint(std::vector<MintedBuyer> buyers) = 0;

    /// Which of these phones are taken.
    virtual Task<std::vector<std::string>> find_taken(std::vector<std::string> phones) = 0;

    /// Adds those whose phone is free; returns the phones of the others, who stay as they are. The
    /// deed is written if somebody is added.
    virtual Task<std::vector<std::string>> add_free(std::vector<Account> accounts,
                                                    std::optional<Deed> deed) = 0;
};

}  // namespace sluice
