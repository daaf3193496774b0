#include "gate/signature_limiter.hpp"

#include <algorithm>

#include <sodium.h>

namespace sluice::gate {

Headroom SignatureLimiter::look(const Address& client, Instant now) const {
    if (!scope_.enabled() || scope_.exempts(client)) return {};
    const auto quota = Quota::of(kMistakes);
    const auto site_quota = Quota::of(kMistakes, kHouseholdsPerSite);
    const Headroom home{"signature", quota,
                        limiter_.look(key_of(household_of(client)), quota, now)};
    if (client.is_v4() || home.waits()) return home;
    return {"signature", site_quota, limiter_.look(key_of(site_of(client)), site_quota, now)};
}

void SignatureLimiter::note_wrong(const Address& client, Instant now) {
    limiter_.count(key_of(household_of(client)), Quota::of(kMistakes), now);
    if (client.is_v4()) return;
    limiter_.count(key_of(site_of(client)), Quota::of(kMistakes, kHouseholdsPerSite), now);
}

std::uint64_t SignatureLimiter::key_of(const Network& network) const {
    std::array<unsigned char, 17> text;
    std::ranges::copy(network.base.bytes, text.begin());
    text.back() = static_cast<unsigned char>(network.prefix);
    std::uint64_t key = 0;
    crypto_shorthash(reinterpret_cast<unsigned char*>(&key), text.data(), text.size(),
                     hash_key_.data());
    return key;
}

}  // namespace sluice::gate
