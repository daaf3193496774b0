#pragma once

#include "domain/session_token.hpp"
#include "domain/user.hpp"

namespace sluice {

/// The user of a request's session. Copied for each request, so it contains only what every request
/// needs.
struct Caller {
    SessionKey session{};
    UserId id;
    Role role = Role::buyer;
    bool lacks_second_factor = false;  // the second factor that this server asks of the role
    Timestamp session_expires_at;
};

}  // namespace sluice
