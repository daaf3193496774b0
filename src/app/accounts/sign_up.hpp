#pragma once

#include "app/accounts/phone_codes.hpp"
#include "app/accounts/register_user.hpp"

namespace sluice {

/// How many accounts strangers may make. The gate counts; SignUp decides when it is counted.
class SignUpLimits {
  public:
    /// Whether one more account may be made.
    virtual bool may_sign_up() = 0;
    /// The same, and counts it.
    virtual bool count_sign_up() = 0;

  protected:
    ~SignUpLimits() = default;
};

/// A registration by a stranger. Where phones are verified it needs a code. The code is spent
/// unless no account is made and the same request may be sent again.
class SignUp {
  public:
    /// `codes`: the codes that prove a phone; nullptr if registrations need none.
    SignUp(RegisterUser& registration, PhoneCodes* codes)
        : registration_(registration), codes_(codes) {}

    bool needs_code() const { return codes_ != nullptr; }

    /// What proves that the phone is theirs.
    struct Proof {
        std::string code;
        CodeBearer bearer;
    };

    /// nullopt when the limits do not allow it. Refuses with invalid a wrong code, and with
    /// conflict a phone that is taken. `limits` outlives the task. May throw Overload and Outage.
    Task<std::optional<Outcome<Created>>> sign_up(RegisterUser::Registration registration,
                                                  Proof proof, SignUpLimits& limits);

  private:
    Task<std::optional<Outcome<Created>>> add(RegisterUser::Registration registration,
                                              SignUpLimits& limits);

    RegisterUser& registration_;
    PhoneCodes* const codes_;
};

}  // namespace sluice
