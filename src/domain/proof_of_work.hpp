#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// A challenge that costs its solver time, and us one hash: find an answer such that
/// SHA-256(prefix, answer) begins with `bits` zero bits. It is valid for one buyer and one sale,
/// and contains its own MAC, so nothing is stored until somebody answers.
struct WorkChallenge {
    unsigned bits = 0;
    Timestamp expires_at;
    Mark mark{};  // the MAC, which names it
};

inline constexpr unsigned kLeastBits = 8;
inline constexpr unsigned kMostBits = 28;

/// Makes challenges, writes them as ids, and recognises them.
class WorkChallenges {
  public:
    using Key = std::array<unsigned char, 32>;
    using Nonce = std::array<unsigned char, 8>;

    explicit WorkChallenges(const Key& key) : key_(key) {}

    static constexpr std::size_t kIdLength = 44;

    /// The length of an id.
    std::string seal(UserId buyer, SaleId sale, unsigned bits, Timestamp expires_at,
                     const Nonce& nonce) const;

    /// nullopt when it is not ours, or not for this buyer and sale. The caller decides whether it
    /// has expired.
    std::optional<WorkChallenge> open(std::string_view id, UserId buyer, SaleId sale) const;

  private:
    Mark mac(UserId buyer, SaleId sale, const unsigned char* head) const;

    Key key_;
};

/// The text before the answer: the id, so that work done for one challenge is worth nothing for
/// another. Together with up to 10 letters of answer it fits one block of SHA-256.
std::string work_prefix(std::string_view id);

bool proves_work(std::string_view id, std::string_view answer, unsigned bits);

}  // namespace sluice
