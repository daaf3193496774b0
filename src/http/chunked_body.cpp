#include "http/chunked_body.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace sluice::http {
namespace {

constexpr std::size_t kMostDigits = 16;
constexpr std::size_t kLongestLine = 256;  // of a chunk's header: size and extensions

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// A tab is allowed in a line.
bool is_forbidden(char c) {
    return is_control(c) && c != '\t';
}

}  // namespace

std::optional<Code> ChunkedBody::read(std::string_view data, std::string& body, std::size_t most,
                                      std::size_t& taken) {
    taken = 0;
    while (taken < data.size() && !complete()) {
        if (state_ == State::data) {
            const auto piece = data.substr(taken, static_cast<std::size_t>(left_));
            body.append(piece);
            taken += piece.size();
            left_ -= piece.size();
            if (left_ == 0) state_ = State::data_end;
            continue;
        }
        if (const auto refused = step(data[taken])) return refused;
        ++taken;
        // A chunk that does not fit is refused before any of it is read.
        if (state_ == State::data && left_ > most - body.size()) return Code::too_large;
    }
    return std::nullopt;
}

std::optional<Code> ChunkedBody::step(char c) {
    switch (state_) {
        case State::first_digit:
            line_bytes_ = 0;
            left_ = 0;
            if (digit_of(c) < 0) return Code::malformed;
            state_ = State::size;
            [[fallthrough]];
        case State::size:
            return read_size(c);
        case State::blank:
            return end_size(c);
        case State::extension_start:
        case State::extension:
        case State::quoted:
        case State::escaped:
            return read_extension(c);
        case State::size_cr:
            return expect(c, '\n', left_ == 0 ? State::end : State::data);
        case State::data_end:
            return expect(c, '\r', State::data_cr);
        case State::data_cr:
            return expect(c, '\n', State::first_digit);
        case State::end:  // anything but an empty line here is a trailer
            return expect(c, '\r', State::end_cr);
        case State::end_cr:
            return expect(c, '\n', State::complete);
        case State::data:
        case State::complete:
            break;
    }
    return Code::malformed;
}

std::optional<Code> ChunkedBody::read_size(char c) {
    if (const int digit = digit_of(c); digit >= 0) {
        if (++line_bytes_ > kMostDigits) return Code::malformed;
        left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
        return std::nullopt;
    }
    return end_size(c);
}

std::optional<Code> ChunkedBody::end_size(char c) {
    if (++line_bytes_ > kLongestLine) return Code::malformed;
    if (c == ' ' || c == '\t')
        state_ = State::blank;
    else if (c == ';')
        state_ = State::extension_start;
    else if (c == '\r')
        state_ = State::size_cr;
    else
        return Code::malformed;
    return std::nullopt;
}

/// Nothing uses extensions; they are skipped up to their end.
std::optional<Code> ChunkedBody::read_extension(char c) {
    if (++line_bytes_ > kLongestLine) return Code::malformed;
    if (state_ == State::extension && c == '\r') {
        state_ = State::size_cr;
        return std::nullopt;
    }
    if (is_forbidden(c)) return Code::malformed;
    if (state_ == State::extension_start) {
        if (c == ';' || c == '"') return Code::malformed;
        if (c != ' ' && c != '\t') state_ = State::extension;
        return std::nullopt;
    }
    if (state_ == State::extension && c == ';')
        state_ = State::extension_start;
    else if (state_ == State::escaped)
        state_ = State::quoted;
    else if (c == '"')
        state_ = state_ == State::quoted ? State::extension : State::quoted;
    else if (c == '\\' && state_ == State::quoted)
        state_ = State::escaped;
    return std::nullopt;
}

std::optional<Code> ChunkedBody::expect(char c, char wanted, State next) {
    if (c != wanted) return Code::malformed;
    state_ = next;
    return std::nullopt;
}

}  // namespace sluice::http
