#pragma once

#include <string>
#include <string_view>

#include "ports/alert_channel.hpp"
#include "ports/clock.hpp"
#include "ports/poster.hpp"

namespace sluice::web {

// Alerts over HTTP. A robot's address contains its key, so no answer and no failure repeats it.

/// A webhook of the shop's own: JSON, signed like our other webhooks.
class WebhookAlerts final : public AlertChannel {
  public:
    /// `clock`: the time that signatures show.
    WebhookAlerts(Poster& poster, std::string url, std::string secret, const Clock& clock)
        : poster_(poster), url_(std::move(url)), secret_(std::move(secret)), clock_(clock) {}

    Task<Answer> tell(AlertMessage message) override;

  private:
    Poster& poster_;
    const std::string url_;
    const std::string secret_;
    const Clock& clock_;
};

/// A robot of WeCom, which answers 200 even when it refuses, and reports that in JSON.
class WecomAlerts final : public AlertChannel {
  public:
    WecomAlerts(Poster& poster, std::string url) : poster_(poster), url_(std::move(url)) {}

    Task<Answer> tell(AlertMessage message) override;

  private:
    Poster& poster_;
    const std::string url_;
};

/// A robot of DingTalk, which answers like one of WeCom. With a secret each request is signed.
class DingtalkAlerts final : public AlertChannel {
  public:
    DingtalkAlerts(Poster& poster, std::string url, std::string secret, const Clock& clock)
        : poster_(poster), url_(std::move(url)), secret_(std::move(secret)), clock_(clock) {}

    Task<Answer> tell(AlertMessage message) override;

  private:
    Poster& poster_;
    const std::string url_;
    const std::string secret_;  // may be empty
    const Clock& clock_;
};

/// An incoming webhook of Slack.
class SlackAlerts final : public AlertChannel {
  public:
    SlackAlerts(Poster& poster, std::string url) : poster_(poster), url_(std::move(url)) {}

    Task<Answer> tell(AlertMessage message) override;

  private:
    Poster& poster_;
    const std::string url_;
};

/// As DingTalk wants it in the query: base64 of HMAC-SHA256 over "<milliseconds>\n<secret>" under
/// the secret, percent-encoded.
std::string dingtalk_signature(std::string_view secret, std::string_view millis);

}  // namespace sluice::web
