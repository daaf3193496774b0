#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/task.hpp"
#include "domain/deed.hpp"
#include "domain/session_token.hpp"
#include "domain/user.hpp"

namespace sluice {

/// A secret as it is stored: encrypted with a key that the ledger does not have.
using SealedSecret = std::array<unsigned char, 60>;

/// What is stored of a recovery code: a keyed digest.
using RecoveryDigest = std::array<unsigned char, 32>;

struct SecondFactor {
    SealedSecret secret{};
    bool confirmed = false;           // until then it counts for nothing
    std::int64_t last_step = 0;       // whose code was used
    std::int64_t recovery_codes = 0;  // how many are left
};

/// The stored second factors. May throw Outage, as UserLedger.
class SecondFactorLedger {
  public:
    virtual ~SecondFactorLedger() = default;

    virtual Task<std::optional<SecondFactor>> find(UserId user) = 0;

    /// Replaces a secret that was never confirmed; false when there is a confirmed one.
    virtual Task<bool> begin(UserId user, SealedSecret secret) = 0;

    struct Confirmation {
        UserId user;
        SealedSecret secret{};  // whose code was shown
        std::int64_t step = 0;
        std::vector<RecoveryDigest> recovery_codes;
        SessionKey session{};  // in which it was shown: strong from now on
        Deed deed;
    };
    /// Ends all sessions of the user except that one, since they were opened without the second
    /// factor, and returns their keys. nullopt when the secret has been replaced or confirmed
    /// meanwhile.
    virtual Task<std::optional<std::vector<SessionKey>>> confirm(Confirmation confirmation) = 0;

    /// False when a code of this step or of a later one was used already.
    virtual Task<bool> use_step(UserId user, std::int64_t step) = 0;

    /// False when the code does not exist, or was used.
    virtual Task<bool> use_recovery_code(UserId user, RecoveryDigest digest) = 0;

    /// With its recovery codes; the user's sessions are no longer strong. False when there is none.
    virtual Task<bool> remove(UserId user, Deed deed) = 0;
};

}  // namespace sluice
