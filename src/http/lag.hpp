#pragma once

#include <algorithm>
#include <chrono>

namespace sluice::http {

/// How late an event loop is, as its timer shows: whatever is ready waits that long for its turn.
/// One late tick alone does not count: a machine that stood still has no more to do than before.
class Lag {
  public:
    void note(std::chrono::steady_clock::duration late) {
        const auto now =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::max(late, late.zero()));
        lasting_ = std::min(last_, now);
        last_ = now;
    }
    std::chrono::milliseconds lasting() const { return lasting_; }

  private:
    std::chrono::milliseconds last_{0};
    std::chrono::milliseconds lasting_{0};
};

}  // namespace sluice::http
