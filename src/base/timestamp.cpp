#include "base/timestamp.hpp"

#include <charconv>

namespace sluice {
namespace {

void write_digits(char* out, int width, unsigned value) {
    for (int i = width - 1; i >= 0; --i) {
        out[i] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

/// Reads exactly `width` digits from the front and removes them.
std::optional<int> take_digits(std::string_view& text, std::size_t width) {
    if (text.size() < width) return std::nullopt;
    int value = 0;
    for (char c : text.substr(0, width)) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + (c - '0');
    }
    text.remove_prefix(width);
    return value;
}

bool take(std::string_view& text, char a, char b) {
    if (text.empty() || (text.front() != a && text.front() != b)) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<int> take_millis(std::string_view& text) {
    if (text.empty() || text.front() != '.') return 0;
    text.remove_prefix(1);
    int millis = 0, digits = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
        if (++digits > 9) return std::nullopt;
        if (digits <= 3) millis = millis * 10 + (text.front() - '0');
    }
    if (digits == 0) return std::nullopt;
    for (; digits < 3; ++digits) millis *= 10;
    return millis;
}

std::optional<std::chrono::minutes> take_offset(std::string_view& text) {
    if (take(text, 'Z', 'z')) return std::chrono::minutes{0};
    if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
    const int sign = text.front() == '+' ? 1 : -1;
    text.remove_prefix(1);
    const auto hours = take_digits(text, 2);
    if (!hours || *hours > 23 || !take(text, ':', ':')) return std::nullopt;
    const auto minutes = take_digits(text, 2);
    if (!minutes || *minutes > 59) return std::nullopt;
    return std::chrono::minutes{sign * (*hours * 60 + *minutes)};
}

}  // namespace

void write_rfc3339(Timestamp t, char* out) noexcept {
    using namespace std::chrono;
    const auto day = floor<days>(t);
    const year_month_day date{day};
    const hh_mm_ss time{t - day};
    write_digits(out, 4, static_cast<unsigned>(static_cast<int>(date.year())));
    out[4] = '-';
    write_digits(out + 5, 2, static_cast<unsigned>(date.month()));
    out[7] = '-';
    write_digits(out + 8, 2, static_cast<unsigned>(date.day()));
    out[10] = 'T';
    write_digits(out + 11, 2, static_cast<unsigned>(time.hours().count()));
    out[13] = ':';
    write_digits(out + 14, 2, static_cast<unsigned>(time.minutes().count()));
    out[16] = ':';
    write_digits(out + 17, 2, static_cast<unsigned>(time.seconds().count()));
    out[19] = '.';
    write_digits(out + 20, 3, static_cast<unsigned>(time.subseconds().count()));
    out[23] = 'Z';
}

std::string to_rfc3339(Timestamp t) {
    std::string text(kTimestampLength, '\0');
    write_rfc3339(t, text.data());
    return text;
}

std::optional<Timestamp> parse_rfc3339(std::string_view text) {
    using namespace std::chrono;
    const auto year_ = take_digits(text, 4);
    if (!year_ || *year_ < 1970 || !take(text, '-', '-')) return std::nullopt;
    const auto month_ = take_digits(text, 2);
    if (!month_ || !take(text, '-', '-')) return std::nullopt;
    const auto day_ = take_digits(text, 2);
    if (!day_ || !take(text, 'T', 't')) return std::nullopt;
    const auto hour = take_digits(text, 2);
    if (!hour || *hour > 23 || !take(text, ':', ':')) return std::nullopt;
    const auto minute = take_digits(text, 2);
    if (!minute || *minute > 59 || !take(text, ':', ':')) return std::nullopt;
    const auto second = take_digits(text, 2);
    if (!second || *second > 59) return std::nullopt;
    const auto millis = take_millis(text);
    if (!millis) return std::nullopt;
    const auto offset = take_offset(text);
    if (!offset || !text.empty()) return std::nullopt;

    const year_month_day date{year{*year_}, month{static_cast<unsigned>(*month_)},
                              day{static_cast<unsigned>(*day_)}};
    if (!date.ok()) return std::nullopt;
    const Timestamp t = sys_days{date} + hours{*hour} + minutes{*minute} + seconds{*second} +
                        milliseconds{*millis} - *offset;
    // An offset can move the instant out of the years that can be written.
    if (t < Timestamp{} || t >= Timestamp{sys_days{year{10000} / 1 / 1}}) return std::nullopt;
    return t;
}

}  // namespace sluice
