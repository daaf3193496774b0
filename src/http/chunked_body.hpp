#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/problem.hpp"

namespace sluice::http {

/// Reads a chunked body as strictly as HeadScanner reads a head. It refuses control characters, a
/// bare CR or LF, a quote that is not closed on its line, text after the size that is no extension,
/// and every trailer. So no proxy before us can find another end of a chunk, or of the body, than
/// we do. Every byte is read once, however the body is split into pieces.
class ChunkedBody {
  public:
    /// Appends the data of the chunks to `body`, up to `most` bytes; `taken` says how many bytes
    /// were used. Returns a code when the body is refused.
    std::optional<Code> read(std::string_view data, std::string& body, std::size_t most,
                             std::size_t& taken);

    bool complete() const { return state_ == State::complete; }

  private:
    enum class State : unsigned char {
        first_digit,
        size,
        blank,            // behind the size
        extension_start,  // behind a semicolon: a name has to follow
        extension,
        quoted,
        escaped,
        size_cr,
        data,
        data_end,
        data_cr,
        end,
        end_cr,
        complete,
    };

    std::optional<Code> step(char c);
    std::optional<Code> read_size(char c);
    std::optional<Code> end_size(char c);
    std::optional<Code> read_extension(char c);
    std::optional<Code> expect(char c, char wanted, State next);

    State state_ = State::first_digit;
    std::uint64_t left_ = 0;      // left of the chunk's data, or its size while that is read
    std::size_t line_bytes_ = 0;  // of the chunk's header so far
};

}  // namespace sluice::http
