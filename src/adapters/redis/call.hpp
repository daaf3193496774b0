#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "adapters/redis/scripts.hpp"

namespace sluice::redis {

/// One command, or one run of a script.
struct Call {
    /// nullptr: `words` are the command. Otherwise they are the script's key and its arguments,
    /// before which the link puts its run id.
    const Script* script = nullptr;
    std::vector<std::string> words;
    /// How long the command itself may wait at the server.
    std::chrono::milliseconds waits{0};
};

/// Appends the call in the protocol of Redis.
void append_call(std::string& out, const Call& call, const std::string& run);
void append_command(std::string& out, const std::vector<std::string>& words);

}  // namespace sluice::redis
