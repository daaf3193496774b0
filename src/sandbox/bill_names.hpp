#pragma once

#include <array>
#include <string>
#include <string_view>

#include "ports/random.hpp"

namespace sluice::sandbox {

/// Makes the names of the sandbox's bills. Whoever knows a name may press the buttons of its bill,
/// so a name cannot be guessed. An invented name is recognised by its MAC, without asking the
/// ledger.
class BillNames {
  public:
    using Key = std::array<unsigned char, 32>;

    explicit BillNames(const Key& key) : key_(key) {}

    std::string make(Random& random) const;
    bool is_ours(std::string_view name) const;

  private:
    static constexpr std::size_t kRandom = 18;
    static constexpr std::size_t kMac = 12;

    std::array<unsigned char, kMac> mac_of(const unsigned char* random) const;

    const Key key_;
};

}  // namespace sluice::sandbox
