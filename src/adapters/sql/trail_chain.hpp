#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapters/sql/trail_rows.hpp"
#include "domain/deed.hpp"
#include "domain/notice.hpp"

namespace sluice {

using DeedHash = std::array<unsigned char, 32>;

/// BLAKE2b over the previous hash and every field, each text with its length, so that no two deeds
/// are written in the same way. os_user comes last and only if there is one, so that hashes from
/// before it existed stay valid. The first deed follows 32 zero bytes.
DeedHash hash_of(const DeedHash& previous, const Deed& deed);

/// A link, with its deed unless the deed was removed.
struct TrailLinkRow {
    std::int64_t place = 0;
    DeedId id;
    DeedHash hash{};
    std::optional<DeedRow> deed;
};

/// Walks along the chain and reports each deed that was changed, removed or inserted. It cannot see
/// from the data that the latest deeds were cut off together with their links.
class TrailWalk {
  public:
    /// From the first link on, in the order of their places.
    void add(TrailLinkRow link);

    /// A deed without a link.
    void add_unchained(DeedId id);

    const std::vector<Notice>& broken() const { return broken_; }

  private:
    DeedHash previous_{};
    std::int64_t last_place_ = 0;
    std::vector<Notice> broken_;
};

}  // namespace sluice
