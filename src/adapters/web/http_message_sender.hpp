#pragma once

#include "ports/clock.hpp"
#include "ports/message_sender.hpp"
#include "ports/poster.hpp"

namespace sluice::web {

/// Sends messages to a gateway over HTTP: one POST of JSON for each, signed like our webhooks, with
/// the message's id as Idempotency-Key.
class HttpMessageSender final : public MessageSender {
  public:
    struct Options {
        std::string url;
        std::string secret;
        std::string body;  // with {phone}, {code}, {minutes} and {text}
    };

    HttpMessageSender(Poster& poster, Options options, const Clock& clock)
        : poster_(poster), options_(std::move(options)), clock_(clock) {}

    Task<Answer> send(PhoneMessage message) override;

  private:
    Poster& poster_;
    const Options options_;
    const Clock& clock_;
};

/// The template with its fields filled in, each value escaped for the inside of a JSON string.
/// Filled-in values are not scanned for fields again.
std::string fill_in(std::string_view body, const PhoneMessage& message);

}  // namespace sluice::web
