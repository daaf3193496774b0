#include "adapters/sql/trail_chain.hpp"

#include <string_view>
#include <utility>

#include <sodium.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

class Hasher {
  public:
    Hasher() { crypto_generichash_init(&state_, nullptr, 0, DeedHash{}.size()); }

    void add(std::int64_t number) {
        std::array<unsigned char, 8> bytes;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(number) >> (8 * i));
        crypto_generichash_update(&state_, bytes.data(), bytes.size());
    }
    void add(std::string_view text) {
        add(static_cast<std::int64_t>(text.size()));
        crypto_generichash_update(&state_, bytes_of(text).data(), text.size());
    }
    void add(const DeedHash& hash) { crypto_generichash_update(&state_, hash.data(), hash.size()); }
    DeedHash finish() {
        DeedHash hash;
        crypto_generichash_final(&state_, hash.data(), hash.size());
        return hash;
    }

  private:
    crypto_generichash_state state_;
};

}  // namespace

DeedHash hash_of(const DeedHash& previous, const Deed& deed) {
    Hasher hasher;
    hasher.add(previous);
    hasher.add(deed.id.value);
    hasher.add(to_millis(deed.at));
    hasher.add(deed.actor.value_or(UserId{}).value);
    for (const auto* text :
         {&deed.address, &deed.request_id, &deed.action, &deed.subject, &deed.before, &deed.after})
        hasher.add(std::string_view(*text));
    if (deed.os_user) hasher.add(std::string_view(*deed.os_user));
    return hasher.finish();
}

void TrailWalk::add(TrailLinkRow link) {
    const auto name = link.id.text();
    if (link.place != last_place_ + 1)
        broken_.emplace_back(NoticeRule::deeds_lost, name, link.place - last_place_ - 1);
    else if (!link.deed)
        broken_.emplace_back(NoticeRule::deed_removed, name);
    else if (hash_of(previous_, to_deed(std::move(*link.deed))) != link.hash)
        broken_.emplace_back(NoticeRule::deed_changed, name);
    // Going on from the stored hash reports exactly the links that were changed.
    previous_ = link.hash;
    last_place_ = link.place;
}

void TrailWalk::add_unchained(DeedId id) {
    broken_.emplace_back(NoticeRule::deed_put_in, id.text());
}

}  // namespace sluice
