#pragma once

#include <stdexcept>

namespace sluice {

// What a caller may do when something we depend on did not do what it was asked. A refusal
// by the rules is not among these, it is a value: domain/refusal.hpp.
//
// | type           | happened? | what to do                                   | answer          |
// | -------------- | --------- | -------------------------------------------- | --------------- |
// | Retry          | no        | run it again at once; stays in its adapter   |                 |
// | Overload       | no        | send the same again in a moment              | 503 busy        |
// | Outage         | no        | send the same again when the store is back   | 503 unavailable |
// | ReadOnly       | no        | the same; reads go on meanwhile              | 503 unavailable |
// | UnknownOutcome | perhaps   | look it up under its id before anything else | 503 unavailable |

/// Something that we depend on is away. Nothing has happened, unless it is an UnknownOutcome.
/// Thrown on cold paths and caught once, at the edge.
class Outage : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The store takes no writes at present, but reads go on: its disk is full or read-only, or another
/// server is about to replace it. Nothing has happened.
class ReadOnly : public Outage {
  public:
    using Outage::Outage;
};

/// What was written may be there or not: look it up.
class UnknownOutcome : public Outage {
  public:
    using Outage::Outage;
};

/// Work was refused because a bounded queue is full. Nothing has happened: come back in a moment.
class Overload : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A transaction has lost against another one: a deadlock, or a lock that was not granted in time.
/// Nothing of it is left. The adapter that throws this runs the transaction again (base/retry.hpp),
/// so callers of a port never see it.
class Retry : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace sluice
