#include "gate/block_list.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace sluice::gate {
namespace {

struct AddressHash {
    // Operators choose what is in the table, so nobody can provoke collisions on purpose. The
    // prefixes still need mixing.
    std::size_t operator()(const Address& address) const noexcept {
        std::uint64_t halves[2];
        std::memcpy(halves, address.bytes.data(), sizeof halves);
        return static_cast<std::size_t>((halves[0] ^ (halves[1] >> 7)) * 0x9e3779b97f4a7c15ULL ^
                                        halves[1] * 0xc2b2ae3d27d4eb4fULL);
    }
};

}  // namespace

/// Networks are grouped by the length of their prefix, so an address is looked up once for each
/// length in use. There are seldom more than three.
struct BlockList::Snapshot {
    struct Length {
        int prefix;
        bool v4;
        boost::unordered_flat_map<Address, Timestamp, AddressHash> networks;
    };

    boost::unordered_flat_map<UserId, Timestamp, std::hash<UserId>> buyers;  // blocked until then
    std::vector<Length> lengths;

    void add(const Block& block) {
        const auto until = block.until.value_or(Timestamp::max());
        if (const auto* buyer = std::get_if<UserId>(&block.subject)) {
            buyers[*buyer] = until;
            return;
        }
        const auto& network = std::get<Network>(block.subject);
        const bool v4 = network.base.is_v4();
        auto at = std::ranges::find_if(lengths, [&](const Length& length) {
            return length.prefix == network.prefix && length.v4 == v4;
        });
        if (at == lengths.end()) at = lengths.insert(at, {network.prefix, v4, {}});
        at->networks[network.base] = until;
    }
};

/// One reader. The snapshot that it has loaded lives at least as long as the reader does. All steps
/// are sequentially consistent, so they have one order. If a replacer finds no reader counted,
/// every later reader counts itself after that, and then loads the snapshot that the replacer put
/// there before. So it does no harm if place_ changes between a reader's load of it and its count.
class BlockList::Look {
  public:
    explicit Look(const BlockList& list) : looking_(list.looking_[list.place_.load()]) {
        looking_.fetch_add(1);
        snapshot_ = list.current_.load();
    }
    ~Look() {
        if (looking_.fetch_sub(1) == 1) looking_.notify_all();
    }
    Look(const Look&) = delete;
    Look& operator=(const Look&) = delete;

    const Snapshot* operator->() const { return snapshot_; }
    explicit operator bool() const { return snapshot_ != nullptr; }

  private:
    Count& looking_;
    const Snapshot* snapshot_;
};

BlockList::BlockList() = default;

BlockList::~BlockList() {
    delete current_.load();
}

bool BlockList::holds(UserId buyer, Timestamp now) const {
    if (!current_.load(std::memory_order_relaxed)) return false;
    const Look look(*this);
    if (!look) return false;
    const auto at = look->buyers.find(buyer);
    return at != look->buyers.end() && now < at->second;
}

bool BlockList::holds(const Address& address, Timestamp now) const {
    if (!current_.load(std::memory_order_relaxed)) return false;
    const Look look(*this);
    if (!look) return false;
    const bool v4 = address.is_v4();
    return std::ranges::any_of(look->lengths, [&](const Snapshot::Length& length) {
        if (length.v4 != v4) return false;
        const auto at = length.networks.find(Network{address, length.prefix}.canonical().base);
        return at != length.networks.end() && now < at->second;
    });
}

void BlockList::replace(std::span<const Block> blocks) {
    std::unique_ptr<Snapshot> fresh;
    if (!blocks.empty()) fresh = std::make_unique<Snapshot>();
    for (const auto& block : blocks) fresh->add(block);

    const MutexLock lock(replacing_);
    const std::unique_ptr<const Snapshot> old(current_.exchange(fresh.release()));
    // A reader of the old snapshot is counted in one of the two places. No reader enters the place
    // that is being waited for, except a few that had read place_ before.
    const auto place = place_.load();
    wait_until_none(looking_[1 - place]);
    place_ = 1 - place;
    wait_until_none(looking_[place]);
}

/// Only the last reader that leaves wakes the replacer.
void BlockList::wait_until_none(Count& looking) {
    for (int count = 0; (count = looking.load()) != 0;) looking.wait(count);
}

}  // namespace sluice::gate
