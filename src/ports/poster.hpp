#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/task.hpp"

namespace sluice {

/// Sends a POST to an unknown server, and reads its answer. Limited in time and in what it reads;
/// follows no redirects. A receiver that cannot be reached is an answer, not an exception.
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
        std::string failure;    // why there was none, in a text for operators
        std::string body = {};  // the answer's body; it may be cut off
    };
    virtual Task<Answer> post(Letter letter) = 0;

    /// Ends posts that are under way: their receivers have not answered. On the loop of the posts.
    virtual void hang_up() = 0;
};

inline bool is_success(const Poster::Answer& answer) {
    return answer.status / 100 == 2;
}

/// Whether the letter should be sent another time: it may not have been taken, or the receiver was
/// busy.
inline bool may_pass(const Poster::Answer& answer) {
    const auto status = answer.status;
    return status == 0 || status == 408 || status == 425 || status == 429 || status >= 500;
}

}  // namespace sluice
