#pragma once

#include <string>

#include "base/id_source.hpp"
#include "domain/deed.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"

namespace sluice {

/// A source of ids for a process that works beside others on one store. They must not make the same
/// ids, so the node part is drawn at random.
std::int64_t draw_part_of_command(Random& random);
IdSource make_id_source(Random& random);

/// Who runs this command, as the audit trail stores it: only the operating system's user name is
/// known.
class CommandLine {
  public:
    CommandLine(const Clock& clock, IdSource& ids) : clock_(clock), ids_(ids) {}

    /// Before and after are JSON or empty, and hold no secrets.
    Deed make_deed(std::string action, std::string subject, std::string before,
                   std::string after) const;

  private:
    const Clock& clock_;
    IdSource& ids_;
};

}  // namespace sluice
