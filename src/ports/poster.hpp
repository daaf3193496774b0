#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/task.hpp"

namespace sluice {

/// Sends a POST to a server that we do not know, and hears its answer. Bounded in time and in what
/// it reads; follows no redirects. A receiver that cannot be reached is an answer, not an
/// exception.
class Poster {
  public:
    virtual ~Poster() = default;

    struct Letter {
        std::string url;
        std::string body;  // JSON
        std::vector<std::pair<std::string, std::string>> headers;
    };
    struct Answer {
        unsigned status = 0;    // 0: there was none
        std::string failure;    // why, in words that are fit for operators
        std::string body = {};  // what came of it; it may be cut off
    };
    virtual Task<Answer> post(Letter letter) = 0;

    /// Cuts short what is under way: its receivers have not answered. On the loop of the posts.
    virtual void hang_up() = 0;
};

inline bool is_success(const Poster::Answer& answer) {
    return answer.status / 100 == 2;
}

/// Whether the same letter may be taken another time: nobody knows whether it was taken, or the
/// receiver is busy.
inline bool may_pass(const Poster::Answer& answer) {
    const auto status = answer.status;
    return status == 0 || status == 408 || status == 425 || status == 429 || status >= 500;
}

}  // namespace sluice
