#include "gate/failure_answer.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"

namespace sluice::gate {
namespace {

using http::Code;

/// As a program finds it in the problem.
struct Told {
    std::string_view code;
    int status;
    int retry_after;

    friend bool operator==(const Told&, const Told&) = default;
};

template <class Failure>
FailureAnswer answer_of(const char* reason = "why") {
    return answer_to(std::make_exception_ptr(Failure(reason)));
}

Told told(const FailureAnswer& answer) {
    return {http::name_of(answer.code), http::status_of(answer.code), answer.retry_after_seconds};
}

TEST(FailureAnswer, SaysWhatACallerMayDo) {
    EXPECT_EQ(told(answer_of<Overload>()), (Told{"busy", 503, 1}));
    EXPECT_EQ(told(answer_of<Outage>()), (Told{"unavailable", 503, 2}));
    EXPECT_EQ(told(answer_of<ReadOnly>()), (Told{"unavailable", 503, 5}));
    EXPECT_EQ(told(answer_of<UnknownOutcome>()), (Told{"unavailable", 503, 2}));
    EXPECT_EQ(told(answer_of<std::logic_error>()), (Told{"internal", 500, 0}));
    EXPECT_EQ(told(answer_to(std::make_exception_ptr(1))), (Told{"internal", 500, 0}));
}

TEST(FailureAnswer, ARetryThatLeavesItsAdapterIsABug) {
    EXPECT_EQ(answer_of<Retry>().code, Code::internal);
}

TEST(FailureAnswer, PromisesThatNothingWasTakenOnlyWhereThatIsSo) {
    const auto detail_of = [](const FailureAnswer& answer) {
        http::Response response;
        http::write_problem(response, answer.code, {});
        return response.body;
    };
    const std::string promise = "Nothing was taken";
    EXPECT_NE(detail_of(answer_of<Outage>()).find(promise), std::string::npos);
    EXPECT_NE(detail_of(answer_of<ReadOnly>()).find(promise), std::string::npos);
    EXPECT_EQ(detail_of(answer_of<UnknownOutcome>()).find(promise), std::string::npos);
}

}  // namespace
}  // namespace sluice::gate
