#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// Where a mail server takes mails: smtp://host[:port], which goes on by STARTTLS, or
/// smtps://host[:port] for TLS from the first byte. Who we are there is not part of it: a password
/// in a URL would end up in lists and logs.
struct MailUrl {
    std::string host;
    std::uint16_t port = 587;  // 465 for TLS, unless it is given
    bool is_tls = false;

    static std::optional<MailUrl> parse(std::string_view text);

    /// Whether what is sent stays on this machine.
    bool is_local() const;
};

/// An address as SMTP takes it without quotes: name@host.
bool is_mail_address(std::string_view text);

}  // namespace sluice
