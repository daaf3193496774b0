#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/route.hpp"

namespace sluice::http {

inline constexpr std::size_t kMaxParameters = 3;
inline constexpr std::size_t kNoRoute = static_cast<std::size_t>(-1);

/// Finds the row for a method and a path. Immutable, so safe from any thread.
class Router {
  public:
    /// Finds rows on these surfaces only. It is a bug when two rows are the same, or a path has too
    /// many parameters.
    Router(std::span<const Route> routes, Surfaces shown);
    ~Router();

    struct Match {
        std::size_t route = kNoRoute;
        std::array<std::string_view, kMaxParameters> parameters{};
        /// The methods of this path if the path exists but the method does not: as the Allow header
        /// needs them.
        std::string_view allow;
    };
    /// HEAD finds the row of GET.
    Match find(Method method, std::string_view path) const;

  private:
    struct Node;
    std::unique_ptr<Node> root_;
};

}  // namespace sluice::http
