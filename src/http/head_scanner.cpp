#include "http/head_scanner.hpp"

namespace sluice::http {

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
