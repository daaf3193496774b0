#pragma once

#include <memory>
#include <string>

#include "domain/session_token.hpp"
#include "domain/user.hpp"

namespace sluice {

/// Whoever a request's session stands for.
struct Caller {
    SessionKey session{};
    UserId id;
    std::shared_ptr<const std::string> name;  // shared, so that a copy for each request is cheap
    Role role = Role::buyer;
    Timestamp session_expires_at;
};

}  // namespace sluice
