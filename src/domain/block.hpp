#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/address.hpp"
#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/refusal.hpp"

namespace sluice {

/// Whom a block is against: a buyer, or everybody who comes from a network.
using BlockSubject = std::variant<UserId, Network>;

/// A buyer's id, an IPv4 address or network (/8 or narrower), or an IPv6 network (/16 to /64). A
/// single IPv6 address stands for its /64, since whoever has one address has them all. Each network
/// has one form, with the bits after the prefix zero.
Outcome<BlockSubject> parse_block_subject(std::string_view text);
std::string to_string(const BlockSubject& subject);

/// Like Network::contains, but an IPv6 network never holds an IPv4 address.
bool covers(const Network& network, const Address& address);

/// What it keeps out: docs/adr/0020-what-a-block-keeps-out.md.
struct Block {
    BlockId id;
    BlockSubject subject;
    std::string reason;
    std::optional<Timestamp> until;  // its first instant without the block
    Timestamp at;
    UserId by;

    bool holds_at(Timestamp now) const { return !until || now < *until; }
    friend bool operator==(const Block&, const Block&) = default;
};

/// What is wrong with a wish to block; empty when nothing is.
std::vector<FieldError> check_block(std::string_view reason, std::optional<Timestamp> until,
                                    Timestamp now);

inline constexpr std::size_t kMostBlocks = 10'000;

/// The facts of the ledger when a block is put or removed. Expired blocks do not count.
struct BlockFacts {
    bool is_subject_known = true;  // false: there is no such buyer
    std::optional<Block> present;  // of the subject
    std::size_t count = 0;         // of all subjects
};
/// Why no block can replace `before`; nullopt when it can.
std::optional<Refusal> why_not_put(const BlockFacts& facts, const std::optional<Block>& before);
/// Why this block cannot be removed; nullopt when it can.
std::optional<Refusal> why_not_removed(const std::optional<Block>& present, const Block& block);

}  // namespace sluice
