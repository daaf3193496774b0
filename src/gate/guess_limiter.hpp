#pragma once

#include <array>

#include "base/address.hpp"
#include "domain/ids.hpp"
#include "domain/limit_scope.hpp"
#include "gate/rate_headers.hpp"

namespace sluice::gate {

/// How often buyers may be wrong about formulas. One guess in sixty is right, so without this limit
/// a program could guess instead of reading the picture. Each wrong answer counts for its account,
/// in all sales together, and for its network in that sale: with the account alone, a script with a
/// hundred accounts would have a hundred times as many guesses.
///
/// People who share the network of such a script must not be kept out by it. So the network's count
/// stops only accounts that have been wrong twice lately, and each account that solves a formula
/// gives one mistake back to its network.
///
/// Pictures are counted too: whoever may ask for another one without end answers only those that
/// they can read, and is never wrong. One that was solved does not count, so nobody is held up who
/// buys again and again. Safe from any thread.
class GuessLimiter {
  public:
    using Instant = RateLimiter::Instant;

    struct Guesser {
        UserId buyer;
        SaleId sale;
        Address client;
    };

    static constexpr Rate kMistakes{.per_minute = 2, .burst = 3};
    /// Of one account, solved ones left out. Nobody looks at one for less than some seconds, so
    /// people hardly wait. Of a program that reads one in seven fewer than half of the accounts
    /// have a pass at once.
    static constexpr Rate kPictures{.per_minute = 6, .burst = 4};
    /// Of these an account may make so many without regard to its network.
    static constexpr std::uint32_t kForgiven = 2;
    /// Wide enough for an office: of two hundred people behind one address a quarter may be wrong
    /// at the start of a sale. Narrow enough for a script: one blind guess in sixty is right.
    static constexpr Rate kMistakesFromAddress{.per_minute = 12, .burst = 60};
    /// For an IPv6 /48, since one customer may have 65,536 households.
    static constexpr Rate kMistakesFromSite{.per_minute = 48, .burst = 240};

    GuessLimiter(const LimitScope& scope, const std::array<unsigned char, 16>& hash_key,
                 CountExchange* shared = nullptr)
        : scope_(scope),
          hash_key_(hash_key),
          by_account_(1 << 14, {.with = shared, .name = 'g'}),
          by_network_(1 << 14, {.with = shared, .name = 'n'}),
          pictures_(1 << 14, {.with = shared, .name = 'p'}) {}

    /// Without a wait, the guesser may answer. Returns the count with the longest wait.
    Headroom look(const Guesser& guesser, Instant now) const;

    /// If there is no wait, they may see another picture.
    Headroom look_picture(UserId buyer, Instant now) const;

    /// The same, and it counts.
    Headroom count_picture(UserId buyer, Instant now);

    /// They did not get it after all.
    void give_picture_back(UserId buyer);

    /// They answered, and it was wrong.
    void note_wrong(const Guesser& guesser, Instant now);

    /// The answer was right.
    void note_right(const Guesser& guesser, Instant now);

  private:
    std::uint64_t key_of(UserId buyer) const;
    std::uint64_t key_of(UserId buyer, SaleId sale) const;
    std::uint64_t key_of(const Network& network, SaleId sale) const;

    const LimitScope& scope_;
    const std::array<unsigned char, 16> hash_key_;
    RateLimiter by_account_;
    RateLimiter by_network_;
    RateLimiter pictures_;
    RateLimiter solvers_{1 << 14};  // whose first right answer in a sale has been counted
};

}  // namespace sluice::gate
