#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice {

/// Distinguishes one device from another. Random.
using DeviceId = std::array<unsigned char, 17>;

/// What a browser keeps after a log-in, so that we recognise it as one from which this phone has
/// logged in. It opens nothing: whoever shows it still needs the password. But its mistakes are
/// counted apart from those of strangers, so strangers cannot lock its user out. A MAC over device
/// and phone, so nothing is stored.
class DeviceTokens {
  public:
    using Key = std::array<unsigned char, 32>;

    explicit DeviceTokens(const Key& key) : key_(key) {}

    /// `phone` in its canonical form, as in the next call.
    std::string make(const DeviceId& device, std::string_view phone) const;

    /// nullopt for every text that we did not make for this phone.
    std::optional<DeviceId> recognise(std::string_view text, std::string_view phone) const;

  private:
    static constexpr std::size_t kMacBytes = 16;
    using Mac = std::array<unsigned char, kMacBytes>;
    Mac mac_of(const DeviceId& device, std::string_view phone) const;

    const Key key_;
};

}  // namespace sluice
