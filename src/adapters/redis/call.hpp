#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "adapters/redis/scripts.hpp"

namespace sluice::redis {

/// One command, or one run of a script.
struct Call {
    /// nullptr: `words` are the command. Else its key and, after the link has put its run id before
    /// them, its arguments.
    const Script* script = nullptr;
    std::vector<std::string> words;
    /// For how long the command itself may wait at the server.
    std::chrono::milliseconds waits{0};
};

/// Appends its bytes as Redis reads them.
void append_call(std::string& out, const Call& call, const std::string& run);
void append_command(std::string& out, const std::vector<std::string>& words);

}  // namespace sluice::redis
