#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "app/orders/hear_payment.hpp"
#include "gate/signature_limiter.hpp"
#include "http/exchange.hpp"
#include "observe/sparing.hpp"

namespace sluice::api {

/// Where payment providers report what became of a payment. A request is read only after its
/// signature has been found genuine. A network that has sent too many false signatures has to wait.
class WebhooksIn {
  public:
    /// Who may send events to which address, and the secrets that they sign with: several while one
    /// replaces another. Several senders may share an address; the signature decides which provider
    /// an event is from.
    struct Sender {
        std::string address;  // the last part of the path
        std::string provider;
        std::vector<std::string> secrets;
    };

    /// `wall`: the system's clock. An event has two ages, one by each clock, and the smaller one
    /// counts: while the clocks differ, we cannot know which of them agrees with the provider's.
    WebhooksIn(HearPayment& hear, std::vector<Sender> senders, std::chrono::seconds tolerance,
               const Clock& clock, const Clock& wall, gate::SignatureLimiter& forgeries, Log& log)
        : hear_(hear),
          senders_(std::move(senders)),
          tolerance_(tolerance),
          clock_(clock),
          wall_(wall),
          forgeries_(forgeries),
          log_(log) {}

    http::Pending receive(http::Exchange& exchange);

    /// Limits the log lines about refused events.
    static constexpr unsigned kRefusalLines = 20;

  private:
    const Sender* find_sender(http::Exchange& exchange);
    void refuse_forgery(http::Exchange& exchange, std::string_view flaw);
    Task<> carry_out(http::Exchange& exchange, PaymentEvent event);

    HearPayment& hear_;
    const std::vector<Sender> senders_;
    const std::chrono::seconds tolerance_;
    const Clock& clock_;
    const Clock& wall_;
    gate::SignatureLimiter& forgeries_;
    Log& log_;
    Sparing refusals_{kRefusalLines};
};

}  // namespace sluice::api
