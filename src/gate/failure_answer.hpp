#pragma once

#include <exception>

#include "http/problem.hpp"

namespace sluice::gate {

/// The answer to a request whose work has ended in an exception, and when to come back.
struct FailureAnswer {
    http::Code code = http::Code::internal;
    int retry_after_seconds = 0;  // 0: coming back does not help
};

FailureAnswer answer_to(const std::exception_ptr& failure);

}  // namespace sluice::gate
