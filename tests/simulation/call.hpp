#pragma once

#include <optional>
#include <string>

#include "domain/ids.hpp"
#include "domain/ticket.hpp"
#include "http/exchange.hpp"

namespace sluice::simulation {

/// Whether the server could not answer, as opposed to a refusal by the rules: the same request may
/// be sent again.
inline bool is_temporary_outage(http::Code code) {
    using http::Code;
    return code == Code::busy || code == Code::unavailable || code == Code::read_only ||
           code == Code::outcome_unknown;
}

/// What the client sees.
struct Answer {
    int status = 0;
    std::optional<http::Code> problem;
    std::optional<int> retry_after;
    std::string body;

    /// A text of the JSON body; empty when it is not there.
    std::string text(std::string_view field) const;
    std::optional<TicketId> ticket() const;
    std::optional<OrderId> order() const;

    std::string summary() const;
};

/// A request as a client makes it, and the exchange in which it is answered. It stays in its place
/// as long as the exchange is under way.
class Call {
  public:
    struct Request {
        http::Method method = http::Method::get;
        std::string path;
        UserId caller;
        std::string id;   // X-Request-Id, by which a deed in the audit trail names it
        std::string key;  // Idempotency-Key; empty when there is none
        std::string body;
    };
    explicit Call(Request request);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    UserId caller() const { return request_.caller; }
    const std::string& path() const { return request_.path; }
    Answer answer() const;

    http::Exchange exchange;

  private:
    const Request request_;
    const std::string authorization_;
};

}  // namespace sluice::simulation
