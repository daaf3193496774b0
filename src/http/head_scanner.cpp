#include "http/head_scanner.hpp"

namespace sluice::http {
namespace {

bool ends_with_version(std::string_view request_line) {
    return request_line.ends_with(" HTTP/1.1") || request_line.ends_with(" HTTP/1.0");
}

}  // namespace

HeadScanner::Verdict HeadScanner::scan(std::string_view data) {
    while (seen_ < data.size()) {
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
                else if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
                    return Verdict::refused;
                break;
            case State::after_cr:
                if (c != '\n') return Verdict::refused;
                // Whoever speaks another protocol will not send the rest of a head.
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
