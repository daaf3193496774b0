#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sluice::simulation {

/// The highest values of something that changes while somebody waits for an answer.
class Peaks {
  public:
    using Value = std::function<std::int64_t()>;

    /// A peak is kept from now on, as long as the returned object exists.
    std::shared_ptr<const std::int64_t> watch(Value value) {
        auto peak = std::make_shared<std::int64_t>(value());
        watched_.push_back({peak, std::move(value)});
        return peak;
    }

    void look() {
        std::erase_if(watched_, [](const Watched& each) { return each.peak.expired(); });
        for (const auto& [peak, value] : watched_)
            if (const auto held = peak.lock()) *held = std::max(*held, value());
    }

  private:
    struct Watched {
        std::weak_ptr<std::int64_t> peak;
        Value value;
    };
    std::vector<Watched> watched_;
};

}  // namespace sluice::simulation
