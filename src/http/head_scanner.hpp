#pragma once

#include <cstddef>
#include <string_view>

namespace sluice::http {

/// Looks for the end of a request's head, byte by byte as it arrives, and refuses at once what a
/// proxy before us might read differently: a bare CR or LF, a folded line, a control character. The
/// message parser after it is less strict about these.
class HeadScanner {
  public:
    enum class Verdict { incomplete, complete, refused };

    /// `data` is all that has arrived of the head; bytes that were scanned before are not scanned
    /// again.
    Verdict scan(std::string_view data);

    /// How much of the head was scanned; after complete, its length with the empty line.
    std::size_t length() const { return seen_; }

    void reset() { *this = HeadScanner{}; }

  private:
    enum class State : unsigned char { line_start, in_line, after_cr, end_cr };

    std::size_t seen_ = 0;
    State state_ = State::line_start;
    bool first_line_ = true;
};

}  // namespace sluice::http
