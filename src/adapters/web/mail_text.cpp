#include "adapters/web/mail_text.hpp"

#include <array>
#include <chrono>

#include "base/encoding.hpp"

namespace sluice::web {
namespace {

constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr std::size_t kBytesInWord = 45;  // an encoded word has 75 characters at most
constexpr std::size_t kLineOfBase64 = 76;

std::string two_digits_of(long n) {
    return (n < 10 ? "0" : "") + std::to_string(n);
}

/// The first bytes, at most so many, without cutting a character in two.
std::string_view head_of(std::string_view utf8, std::size_t most) {
    if (utf8.size() <= most) return utf8;
    auto length = most;
    while (length > 1 && (static_cast<unsigned char>(utf8[length]) & 0xc0) == 0x80) --length;
    return utf8.substr(0, length);
}

std::string with_crlf(std::string_view text) {
    std::string lines;
    for (const char c : text) {
        if (c == '\n') lines += '\r';
        lines += c;
    }
    return lines;
}

std::string in_lines(std::string_view base64) {
    std::string lines;
    while (!base64.empty()) {
        const auto line = base64.substr(0, kLineOfBase64);
        lines.append(line).append("\r\n");
        base64.remove_prefix(line.size());
    }
    return lines;
}

}  // namespace

std::string mail_date(Timestamp at) {
    using namespace std::chrono;
    const auto day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss time(floor<seconds>(at - day));
    std::string text(kDays[weekday(day).c_encoding()]);
    text += ", " + two_digits_of(static_cast<unsigned>(date.day())) + ' ';
    text += kMonths[static_cast<unsigned>(date.month()) - 1];
    text += ' ' + std::to_string(static_cast<int>(date.year())) + ' ';
    text += two_digits_of(time.hours().count()) + ':' + two_digits_of(time.minutes().count()) +
            ':' + two_digits_of(time.seconds().count());
    return text + " +0000";
}

std::string encoded_words(std::string_view utf8) {
    std::string words;
    while (!utf8.empty()) {
        const auto part = head_of(utf8, kBytesInWord);
        if (!words.empty()) words += "\r\n ";
        words += "=?UTF-8?B?" + to_base64(bytes_of(part)) + "?=";
        utf8.remove_prefix(part.size());
    }
    return words;
}

std::string mail_text(const AlertMessage& message, const std::string& from,
                      const std::vector<std::string>& to) {
    std::string receivers;
    for (const auto& each : to) {
        if (!receivers.empty()) receivers += ",\r\n ";
        receivers += '<' + each + '>';
    }
    const auto domain = from.substr(from.find('@') + 1);
    const auto text = with_crlf(message.text());
    return "Date: " + mail_date(message.alert.at) + "\r\nFrom: Sluice <" + from +
           ">\r\nTo: " + receivers +
           "\r\nSubject: " + encoded_words("[Sluice] " + message.headline) + "\r\nMessage-ID: <" +
           message.id + ".sluice@" + domain +
           ">\r\nAuto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n"
           "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
           in_lines(to_base64(bytes_of(text)));
}

}  // namespace sluice::web
