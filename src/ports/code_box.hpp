#pragma once

#include <optional>
#include <string>

#include "base/task.hpp"
#include "base/timestamp.hpp"

namespace sluice {

/// Keeps the codes that are out, as short texts which expire. Whoever changes a text says what they
/// have read, so that of two changes at once one is made again. From any event loop.
class CodeBox {
  public:
    virtual ~CodeBox() = default;

    /// nullopt: there is no such text. May throw Outage.
    virtual Task<std::optional<std::string>> read(std::string name) = 0;

    /// Replaces `seen` by `text`, until then. False, with nothing done, if the text is another one
    /// by now. Throws Overload when too many are kept. May throw Outage.
    virtual Task<bool> replace(std::string name, std::optional<std::string> seen, std::string text,
                               Timestamp until) = 0;

    /// Whether there is no room for another text.
    virtual bool is_full() const = 0;
};

}  // namespace sluice
