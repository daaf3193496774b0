#pragma once

#include <stdexcept>

namespace sluice {

/// What a store answered instead of doing it. At the ports it has become an Outage or a refusal;
/// what is neither is a bug and stays as it is.
class StoreError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;

    /// The store is away, full, locked or damaged: nothing that our statements did wrong.
    virtual bool is_outage() const = 0;

    /// The store takes no writes at present, but reads go on.
    virtual bool is_read_only() const = 0;

    /// The store has undone the whole transaction, for one that came in its way (a deadlock), and
    /// would take it if it came again. No outage.
    virtual bool is_retry() const { return false; }
};

}  // namespace sluice
