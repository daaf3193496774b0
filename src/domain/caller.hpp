#pragma once

#include <string>

#include "domain/session_token.hpp"
#include "domain/user.hpp"

namespace sluice {

/// Whoever a request's session stands for.
struct Caller {
    SessionKey session{};
    UserId id;
    std::string name;
    Role role = Role::buyer;
    Timestamp session_expires_at;
};

}  // namespace sluice
