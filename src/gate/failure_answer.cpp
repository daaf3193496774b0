#include "gate/failure_answer.hpp"

#include "base/outage.hpp"

namespace sluice::gate {

FailureAnswer answer_to(const std::exception_ptr& failure) {
    using http::Code;
    try {
        std::rethrow_exception(failure);
    } catch (const Overload&) {
        return {Code::busy, 1};
    } catch (const UnknownOutcome&) {
        return {Code::outcome_unknown, 2};
    } catch (const ReadOnly&) {
        return {Code::read_only, 5};  // freeing a disk or a failover takes longer
    } catch (const Outage&) {
        return {Code::unavailable, 2};
    } catch (...) {
        return {Code::internal, 0};
    }
}

}  // namespace sluice::gate
