#pragma once

#include "app/phone_codes.hpp"
#include "app/register_user.hpp"

namespace sluice {

/// How many accounts strangers may make. The gate counts; when it is counted is decided by SignUp.
class SignUpLimits {
  public:
    /// Whether one more may be made.
    virtual bool may_sign_up() = 0;
    /// The same, and counts it.
    virtual bool count_sign_up() = 0;

  protected:
    ~SignUpLimits() = default;
};

/// A registration that a stranger asks for. Where phones are verified it needs a code, which is
/// spent by it: unless the registration comes to nothing and the same request may be sent again.
class SignUp {
  public:
    /// `codes`: that prove a phone; nullptr if registrations need none.
    SignUp(RegisterUser& registration, PhoneCodes* codes)
        : registration_(registration), codes_(codes) {}

    bool needs_code() const { return codes_ != nullptr; }

    /// That the phone is theirs.
    struct Proof {
        std::string code;
        CodeBearer bearer;
    };

    /// nullopt when the limits have refused it. Refuses a wrong code with invalid, and a phone that
    /// is taken with conflict. `limits` outlives the task. May throw Overload and Outage.
    Task<std::optional<Outcome<Created>>> sign_up(RegisterUser::Registration registration,
                                                  Proof proof, SignUpLimits& limits);

  private:
    Task<std::optional<Outcome<Created>>> add(RegisterUser::Registration registration,
                                              SignUpLimits& limits);

    RegisterUser& registration_;
    PhoneCodes* const codes_;
};

}  // namespace sluice
