#include "adapters/web/mail_alerts.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include "adapters/web/mail_text.hpp"
#include "base/encoding.hpp"

namespace sluice::web {
namespace {

namespace asio = boost::asio;
using Told = AlertChannel::Told;

constexpr std::size_t kLongestReplyLine = 2'048;
constexpr int kMostReplyLines = 64;
constexpr std::size_t kLongestReplyText = 200;

/// Ends the conversation without a mail.
class MailFailure : public std::runtime_error {
  public:
    MailFailure(Told told, const std::string& reason) : std::runtime_error(reason), told_(told) {}
    Told told() const { return told_; }

  private:
    Told told_;
};

struct SmtpReply {
    int code = 0;
    std::vector<std::string> lines;  // without the code

    bool is_good() const { return code / 100 == 2; }
    bool offers(std::string_view extension) const;
};

bool SmtpReply::offers(std::string_view extension) const {
    for (const auto& line : lines)
        if (line.starts_with(extension) &&
            (line.size() == extension.size() || line[extension.size()] == ' '))
            return true;
    return false;
}

/// 4xx may pass; any other unexpected code will not.
MailFailure refused(const SmtpReply& reply, const std::string& step, bool with_text = true) {
    std::string reason = "the mail server answered " + std::to_string(reply.code) + " to " + step;
    if (with_text && !reply.lines.empty())
        reason += ": " + shortened(on_one_line(reply.lines.front()), kLongestReplyText);
    return {reply.code / 100 == 4 ? Told::try_again : Told::refused, reason};
}

/// 250-PIPELINING is followed by more lines; 250 OK is the last.
bool take_reply_line(SmtpReply& reply, std::string line) {
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    const bool has_code = line.size() >= 3 && line.find_first_not_of("0123456789") >= 3;
    const bool is_last = line.size() == 3 || (line.size() > 3 && line[3] == ' ');
    if (!has_code || (!is_last && line[3] != '-'))
        throw MailFailure(Told::refused, "the server does not speak SMTP");
    reply.code = std::stoi(line.substr(0, 3));
    reply.lines.push_back(line.substr(std::min<std::size_t>(4, line.size())));
    return is_last;
}

/// `pending`: bytes that were read after the last reply.
template <class Any>
Flow<SmtpReply> hear(Any& stream, std::string& pending) {
    SmtpReply reply;
    for (int i = 0; i < kMostReplyLines; ++i) {
        const auto end = co_await asio::async_read_until(
            stream, asio::dynamic_buffer(pending, kLongestReplyLine), '\n', use_flow);
        std::string line = pending.substr(0, end);
        pending.erase(0, end);
        if (take_reply_line(reply, std::move(line))) co_return reply;
    }
    throw MailFailure(Told::refused, "the mail server does not come to an end");
}

template <class Any>
Flow<SmtpReply> say(Any& stream, std::string& pending, std::string line) {
    line += "\r\n";
    co_await asio::async_write(stream, asio::buffer(line), use_flow);
    auto reply = co_await hear(stream, pending);
    co_return reply;
}

/// By the domain of the sender's address: servers that check the name want one that exists.
template <class Any>
Flow<SmtpReply> greet(Any& stream, std::string& pending, const MailAlerts::Options& options) {
    std::string line = "EHLO " + options.from.substr(options.from.find('@') + 1);
    auto reply = co_await say(stream, pending, std::move(line));
    if (!reply.is_good()) throw refused(reply, "EHLO");
    co_return reply;
}

/// By PLAIN, or by LOGIN for servers that support nothing else.
template <class Any>
Flow<> log_in_to_mail(Any& stream, std::string& pending, const MailAlerts::Options& options) {
    const auto plain = '\0' + options.user + '\0' + options.password;
    std::string line = "AUTH PLAIN " + to_base64(bytes_of(plain));
    auto reply = co_await say(stream, pending, std::move(line));
    if (reply.code == 504) {
        line = "AUTH LOGIN";
        reply = co_await say(stream, pending, std::move(line));
        const std::array<const std::string*, 2> secrets{&options.user, &options.password};
        for (const auto* const secret : secrets) {
            if (reply.code != 334) break;
            line = to_base64(bytes_of(*secret));
            reply = co_await say(stream, pending, std::move(line));
        }
    }
    // The server may repeat in its reply what it was sent here, so the reply is not logged.
    if (!reply.is_good()) throw refused(reply, "AUTH", false);
}

/// One accepted receiver is enough.
template <class Any>
Flow<> send_mail(Any& stream, std::string& pending, const MailAlerts::Options& options,
                 const std::string& mail) {
    std::string line = "MAIL FROM:<" + options.from + ">";
    auto reply = co_await say(stream, pending, std::move(line));
    if (!reply.is_good()) throw refused(reply, "MAIL");
    bool any = false;
    std::optional<SmtpReply> not_now;
    for (const auto& to : options.to) {
        line = "RCPT TO:<" + to + ">";
        reply = co_await say(stream, pending, std::move(line));
        any = any || reply.is_good();
        if (reply.code / 100 == 4) not_now = reply;
    }
    if (!any) throw refused(not_now.value_or(reply), "RCPT");
    line = "DATA";
    reply = co_await say(stream, pending, std::move(line));
    if (reply.code != 354) throw refused(reply, "DATA");
    line = mail + ".";
    reply = co_await say(stream, pending, std::move(line));
    if (!reply.is_good()) throw refused(reply, "the mail");
    // The mail is accepted by now, however the conversation ends.
    const std::string farewell = "QUIT\r\n";
    boost::system::error_code ignored;
    co_await asio::async_write(stream, asio::buffer(farewell),
                               asio::redirect_error(use_flow, ignored));
}

/// The rest of the conversation, after the server's greeting, which came before TLS or within it.
template <class Any>
Flow<> deliver(Any& stream, std::string& pending, const MailAlerts::Options& options,
               const std::string& mail) {
    co_await greet(stream, pending, options);
    if (!options.user.empty()) co_await log_in_to_mail(stream, pending, options);
    co_await send_mail(stream, pending, options, mail);
}

template <class Any>
Flow<> hear_welcome(Any& stream, std::string& pending) {
    const auto reply = co_await hear(stream, pending);
    if (!reply.is_good()) throw refused(reply, "our connection");
}

/// What an attacker has inserted after the server's consent must not count as sent within TLS.
template <class Any>
Flow<> ask_for_tls(Any& stream, std::string& pending, const MailAlerts::Options& options) {
    const auto offered = co_await greet(stream, pending, options);
    if (!offered.offers("STARTTLS"))
        throw MailFailure(Told::refused, "the mail server offers no STARTTLS");
    std::string line = "STARTTLS";
    const auto reply = co_await say(stream, pending, std::move(line));
    if (!reply.is_good()) throw refused(reply, "STARTTLS");
    if (!pending.empty())
        throw MailFailure(Told::refused, "the mail server said more before TLS than it may");
}

/// A connection that can be closed from outside until the conversation is over.
template <class Stream>
struct OpenMail {
    std::set<Stream*>& open;
    Stream* const stream;

    ~OpenMail() { open.erase(stream); }
};

}  // namespace

MailAlerts::MailAlerts(Options options, AsioLoop& loop)
    : options_(std::move(options)),
      loop_(loop),
      tls_(make_client_tls(options_.authorities)),
      lookup_(options_.allowed, 1) {}

Task<AlertChannel::Answer> MailAlerts::tell(AlertMessage message) {
    const auto found = co_await lookup_.find(options_.host);
    if (is_hung_up_) co_return Answer{Told::try_again, "the server ends"};
    if (found.empty()) co_return Answer{Told::try_again, "the host has no address"};
    auto addresses = lookup_.reachable(found, options_.tls != Tls::none);
    if (addresses.empty())
        co_return Answer{Told::refused, "the host's address is not public, and not allowed"};
    Answer answer;
    try {
        auto flow = converse(mail_text(message, options_.from, options_.to), std::move(addresses));
        answer = co_await await_flow(loop_, std::move(flow));
    } catch (const MailFailure& failure) {
        answer = {failure.told(), failure.what()};
    } catch (const boost::system::system_error& failure) {
        answer = {Told::try_again, failure.code().message()};
    }
    co_return answer;
}

void MailAlerts::hang_up() {
    is_hung_up_ = true;
    for (auto* stream : open_) stream->cancel();
}

Flow<AlertChannel::Answer> MailAlerts::converse(std::string mail, std::vector<Address> addresses) {
    const auto executor = co_await asio::this_coro::executor;
    const auto endpoints = endpoints_of(addresses, options_.port);
    asio::ssl::stream<Stream> stream(Stream(executor), tls_);
    auto& plain = stream.next_layer();
    open_.insert(&plain);
    const OpenMail<Stream> enlisted{open_, &plain};
    plain.expires_after(options_.patience);
    co_await plain.async_connect(endpoints, use_flow);
    std::string pending;
    if (options_.tls != Tls::from_start) co_await hear_welcome(plain, pending);
    if (options_.tls == Tls::none) {
        co_await deliver(plain, pending, options_, mail);
        co_return Answer{};
    }
    if (options_.tls == Tls::starttls) co_await ask_for_tls(plain, pending, options_);
    set_server_name(stream.native_handle(), options_.host);
    stream.set_verify_callback(asio::ssl::host_name_verification(options_.host));
    co_await stream.async_handshake(asio::ssl::stream_base::client, use_flow);
    if (options_.tls == Tls::from_start) co_await hear_welcome(stream, pending);
    co_await deliver(stream, pending, options_, mail);
    co_return Answer{};
}

}  // namespace sluice::web
