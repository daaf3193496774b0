#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "base/task.hpp"
#include "base/timestamp.hpp"
#include "domain/ids.hpp"
#include "domain/ticket.hpp"

namespace sluice {

/// A buyer in a sale: what a place and a challenge are bound to.
struct Entrant {
    UserId buyer;
    SaleId sale;

    friend auto operator<=>(const Entrant&, const Entrant&) = default;
};

}  // namespace sluice

template <>
struct std::hash<sluice::Entrant> {
    std::size_t operator()(const sluice::Entrant& entrant) const noexcept {
        return std::hash<sluice::UserId>{}(entrant.buyer) ^
               std::hash<sluice::SaleId>{}(entrant.sale) * 31;
    }
};

namespace sluice {

/// A formula as it was given out.
struct GivenFormula {
    Mark mark{};  // its id
    int answer = 0;
    Timestamp expires_at;
};

/// The answer to a formula. The desk that keeps the formula knows whether it is right.
struct ShownFormula {
    Mark mark{};
    std::optional<int> number;  // nullopt: what was sent is no number
};

/// A proof of work whose challenge is ours and has not expired.
struct ShownWork {
    Mark mark{};
    Timestamp expires_at;
    bool is_right = false;
};

using ShownChallenge = std::variant<ShownFormula, ShownWork>;

/// Who may try to buy (秒杀大闸): the places of each sale and the challenges that are spent on
/// them.
///
/// Never more places than can still win, one for each buyer. A place is free again when its pass
/// has claimed its units or has expired. A free place goes by lot to one of those who wait, never
/// to whoever asks first. A place that lapses unused costs its holder a wait that grows. Who was
/// drawn and never came had no pass that could lapse: they lose the place, and from the second time
/// on wait a little.
///
/// A challenge is valid for one buyer, one sale and one place, and a wrong answer spends it. There
/// is one entry for each buyer and sale: a new formula replaces the one before, and a proof of work
/// that is answered spends those that were given out before it.
///
/// May be called from any event loop. Its memory is bounded.
class EntryDesk {
  public:
    /// How long a pass and its place last.
    static constexpr std::chrono::seconds kLifetime{60};

    /// The wait after the first lapse. Each further one doubles it.
    static constexpr std::chrono::seconds kFirstWait{60};
    static constexpr std::chrono::seconds kLongestWait{1'800};
    /// The wait of whoever has missed a place that was drawn for them, except the first time. It
    /// does not grow.
    static constexpr std::chrono::seconds kMissedWait{30};
    /// A buyer who has let none lapse, and missed none, for this long after a wait begins anew.
    static constexpr std::chrono::seconds kForgiven{1'800};
    static constexpr std::size_t kMostLapses = 200'000;  // remembered for each sale

    /// Those who wait are asked to come again after about this time; later when many wait, so that
    /// a sale gets only so many such requests in a second.
    static constexpr std::chrono::seconds kShortestRetry{3};
    static constexpr std::size_t kRetriesPerSecond = 500;
    /// A drawn place is kept this much longer than its buyer was told to wait, plus a third of that
    /// time: pages wait up to a quarter longer than they are told.
    static constexpr std::chrono::seconds kGrace{5};
    /// How long somebody who was told this Retry-After is waited for.
    static constexpr std::chrono::seconds awaited_for(std::chrono::seconds retry_after) {
        return retry_after + retry_after / 3 + kGrace;
    }

    virtual ~EntryDesk() = default;

    struct Request {
        Entrant entrant;
        std::int64_t most_places = 0;
        /// Asks only for the latest pass on the buyer's place: for somebody who lost the reply. It
        /// is the same pass again, since each pass buys once: otherwise one solved challenge would
        /// buy as often as its buyer asks.
        bool only_again = false;
        /// Spent in one step with taking the place: two requests with one answer cannot take two
        /// places, and a full gate does not cost anybody the challenge that they solved: a formula
        /// lives as long as the buyer who solved it is waited for.
        std::optional<ShownChallenge> challenge;
    };
    struct Issued {
        std::string pass;
        Timestamp expires_at;
    };
    struct Full {
        enum class Why {
            taken,   // everybody waits
            lapsed,  // this buyer let a pass expire unused
            missed,  // places were drawn for this buyer, and they did not come
        };
        std::chrono::seconds retry_after{0};
        Why why = Why::taken;
    };
    /// The same pass as before, since the challenge was spent on that place or `only_again` was
    /// set. nullopt: the place does not exist any more, or it has bought.
    struct Again {
        std::optional<Issued> issued;
    };
    /// The answer is wrong, or the challenge is expired, spent, or somebody else's.
    struct Wrong {};
    using Answer = std::variant<Issued, Full, Again, Wrong>;

    /// A buyer who has a place gets a new pass on it, for the rest of its lifetime; earlier passes
    /// stay valid. Only a purchase on the place gives it a full lifetime again. Throws Overload,
    /// with nothing spent, if there is no room to remember the spent challenge. May throw Outage;
    /// then the same call may be repeated, and finds a place that was taken.
    virtual Task<Answer> enter(Request request) = 0;
    /// The same without waiting. nullopt, with nothing done: this desk cannot answer without
    /// waiting.
    virtual std::optional<Answer> enter_at_once(const Request& request) = 0;

    /// The formula was given to this buyer, and replaces the one before. Throws Overload when too
    /// many are open. May throw Outage.
    virtual Task<Done> keep(Entrant entrant, GivenFormula formula) = 0;

    /// The buyer's pass has claimed its units, and the place becomes free. But if the buyer may
    /// claim more, they keep it, since other passes on it may still win. Does not wait and never
    /// fails: if the note is lost, the place becomes free when its time is over.
    virtual void note_claim(UserId buyer, SaleId sale, bool may_claim_more) = 0;

    /// Frees the places whose time is over, also of sales for which nobody asks any more. A place
    /// lapses only in a sale that `is_selling`: a buyer who could not buy is not to blame. To be
    /// called each second. May throw Outage.
    virtual Task<Done> sweep(std::function<bool(SaleId)> is_selling) = 0;

    /// Whether this process has given out any pass yet.
    virtual bool has_issued() const = 0;
    /// Whether any place is taken, as of the latest sweep or since.
    virtual bool has_places() const = 0;
    /// Over all sales, since the start of this process: places that it found lapsed.
    virtual std::uint64_t lapses() const = 0;
    /// Over all sales: buyers who wait for a place, as of the latest sweep or since.
    virtual std::size_t waiting() const = 0;
};

}  // namespace sluice
