#pragma once

#include "adapters/system/pass_key_file.hpp"
#include "base/task.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// The keys in the form that a ring takes: the last one signs. A key that is dated ahead only
/// verifies until its time, so that every node knows it before any node signs with it.
std::vector<PassKey> with_signing_last(std::vector<PassKey> keys, Timestamp now);

/// Brings the ring in line with the file: keys that were added, and keys whose time is over. When
/// the file cannot be read, the ring stays as it is.
class PassKeyWatch {
  public:
    PassKeyWatch(PassKeyFile& file, PassKeyRing& ring, const Clock& clock, Log& log)
        : file_(file), ring_(ring), clock_(clock), log_(log) {}

    /// The step of a worker. Throws KeyError once each time that the file becomes unreadable.
    Task<> look();

  private:
    PassKeyFile& file_;
    PassKeyRing& ring_;
    const Clock& clock_;
    Log& log_;
    std::vector<PassKey> read_;   // as the file had them
    std::vector<PassKey> given_;  // as the ring has them
};

}  // namespace sluice
