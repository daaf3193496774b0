#include "http/head_scanner.hpp"

#include <cstdint>
#include <cstring>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

/// Skips plain text from `at` on, eight bytes at a time, since nearly all of a head is plain. The
/// byte at which it stops may be anything.
std::size_t skip_plain(std::string_view data, std::size_t at) {
    constexpr std::uint64_t each = 0x0101010101010101;
    constexpr std::uint64_t high = each * 0x80;
    for (; at + sizeof(std::uint64_t) <= data.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word;
        std::memcpy(&word, data.data() + at, sizeof word);
        const auto below_space = (word - each * 0x20) & ~word & high;
        const auto apart_from_delete = word ^ each * 0x7f;
        const auto is_delete = (apart_from_delete - each) & ~apart_from_delete & high;
        if ((below_space | is_delete) != 0) break;
    }
    return at;
}

bool ends_with_version(std::string_view request_line) {
    return request_line.ends_with(" HTTP/1.1") || request_line.ends_with(" HTTP/1.0");
}

}  // namespace

HeadScanner::Verdict HeadScanner::scan(std::string_view data) {
    while (seen_ < data.size()) {
        if (state_ == State::in_line) seen_ = skip_plain(data, seen_);
        if (seen_ == data.size()) break;
        const char c = data[seen_];
        switch (state_) {
            case State::line_start:
                // A line that begins with white space would continue the one before it.
                if (c == ' ' || c == '\t') return Verdict::refused;
                if (c == '\r') {
                    if (first_line_) return Verdict::refused;
                    state_ = State::end_cr;
                    break;
                }
                state_ = State::in_line;
                [[fallthrough]];
            case State::in_line:
                if (c == '\r')
                    state_ = State::after_cr;
                else if (is_control(c) && c != '\t')
                    return Verdict::refused;
                break;
            case State::after_cr:
                if (c != '\n') return Verdict::refused;
                // Such a client speaks another protocol and will not send the rest of a head.
                if (first_line_ && !ends_with_version(data.substr(0, seen_ - 1)))
                    return Verdict::refused;
                state_ = State::line_start;
                first_line_ = false;
                break;
            case State::end_cr:
                if (c != '\n') return Verdict::refused;
                ++seen_;
                return Verdict::complete;
        }
        ++seen_;
    }
    return Verdict::incomplete;
}

}  // namespace sluice::http
