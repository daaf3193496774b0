#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/trail_rows.hpp"
#include "domain/deed.hpp"

namespace sluice {

using DeedHash = std::array<unsigned char, 32>;

/// BLAKE2b over the hash before and every field, each text with its length: no two deeds are
/// written the same. os_user comes last and only if there is one, so that the hashes from before it
/// existed stay valid. The first deed follows 32 zero bytes.
DeedHash hash_of(const DeedHash& previous, const Deed& deed);

/// A link, with its deed unless that was removed.
struct TrailLinkRow {
    std::int64_t place = 0;
    DeedId id;
    DeedHash hash{};
    std::optional<DeedRow> deed;
};

/// Goes along the chain and names each deed that was changed, removed or put in. What nobody can
/// tell from the data is that the latest deeds were cut off together with their links.
class TrailWalk {
  public:
    /// From the first link on, in the order of their places.
    void add(TrailLinkRow link);

    /// A deed without a link.
    void add_unchained(DeedId id);

    const std::vector<std::string>& broken() const { return broken_; }

  private:
    DeedHash previous_{};
    std::int64_t last_place_ = 0;
    std::vector<std::string> broken_;
};

}  // namespace sluice
