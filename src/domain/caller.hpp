#pragma once

#include "domain/session_token.hpp"
#include "domain/user.hpp"

namespace sluice {

/// Whoever a request's session stands for. Copied for each request, so it has only what each of
/// them asks.
struct Caller {
    SessionKey session{};
    UserId id;
    Role role = Role::buyer;
    bool lacks_second_factor = false;  // which this server asks of their role
    Timestamp session_expires_at;
};

}  // namespace sluice
