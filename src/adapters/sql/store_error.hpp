#pragma once

#include <stdexcept>

namespace sluice {

/// The answer of a store that could not do what it was asked. At the ports it becomes an Outage or
/// a refusal; anything else is a bug and stays as it is.
class StoreError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;

    /// The store is away, full, locked or damaged; our statements are not the reason.
    virtual bool is_outage() const = 0;

    /// The store takes no writes at present, but reads go on.
    virtual bool is_read_only() const = 0;

    /// The store has undone the whole transaction because of another one (a deadlock), and would
    /// accept it if it were run again. Not an outage.
    virtual bool is_retry() const { return false; }
};

}  // namespace sluice
