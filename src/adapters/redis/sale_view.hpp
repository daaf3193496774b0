#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/mutex.hpp"
#include "ports/stock_gate.hpp"
#include "ports/stock_signals.hpp"

namespace sluice::redis {

/// A position in the log of a sale. Within an epoch positions are counted from 0, without a gap.
struct Position {
    std::int64_t epoch = 0;
    std::int64_t place = 0;

    friend auto operator<=>(const Position&, const Position&) = default;
};

/// One entry of the log: what a buyer held and what was left directly after a change.
struct LogEntry {
    Position at;
    UserId buyer;  // 0: the change was of no buyer's units
    std::int64_t units = 0;
    std::int64_t left = 0;
};

/// A copy as it was at one position of its log.
struct ReadCopy {
    Position at;
    std::int64_t left = 0;
    boost::unordered_flat_map<UserId, std::int64_t, std::hash<UserId>> units;
};

/// What this process knows of a sale's copy, so that a glance costs no round trip. It learns from
/// the log, entry by entry, and from the answers to this process's own calls, which may be ahead of
/// the log. Each value has its position, and an older value never replaces a newer one.
///
/// "Nothing left" counts only when every entry up to that one was read: the buyers who took the
/// units have to be known here before anybody is told that there are none.
class SaleView {
  public:
    using Clock = std::chrono::steady_clock;

    /// Without `signals` there are no listeners.
    SaleView(SaleId sale, StockSignals* signals) : sale_(sale), signals_(signals) {}

    /// Allocates nothing. Without a copy nothing is known.
    StockGate::Glance glance(UserId buyer) const;

    /// Up to where the log was read without a gap; epoch 0: there is no copy.
    Position position() const;
    /// When the copy was requested.
    Clock::time_point loaded_at() const { return loaded_at_; }

    /// Takes the answer to one of our own calls.
    void hear(const LogEntry& entry);
    /// What a buyer holds and what is left at that position, whatever entry is there.
    void note(const LogEntry& state);
    void note_claim() { ++claims_; }
    /// Takes an entry of the log. False when entries before it are missing, or it is of another
    /// epoch: the copy has to be read anew.
    bool follow(const LogEntry& entry);
    /// Ignored when it is older than what is known.
    void load(const ReadCopy& copy, Clock::time_point asked_at);
    /// There is no valid copy of that epoch. If another one was read meanwhile, that one stays.
    /// Buyers keep their past.
    void close(std::int64_t epoch);
    /// A claim was refused because nothing is left: signals it again if that is also known here.
    void signal_sold_out_again();

  private:
    struct Held {
        std::int64_t place = 0;  // of which the units are
        std::int32_t units = 0;
        std::uint32_t changes = 0;
    };
    using All = boost::unordered_flat_map<UserId, Held, std::hash<UserId>>;
    static constexpr std::size_t kShares = 16;
    struct alignas(64) Share {
        mutable Mutex mutex;
        All held GUARDED_BY(mutex);
    };
    static std::size_t share_of(UserId buyer) { return std::hash<UserId>{}(buyer) % kShares; }

    void learn(const LogEntry& entry) REQUIRES(mutex_);
    bool is_known(const LogEntry& state) const;
    void note_past(UserId buyer);
    void replace(const ReadCopy& copy, bool is_same_epoch);
    void show() REQUIRES(mutex_);

    const SaleId sale_;
    StockSignals* const signals_;

    // Changed under mutex_, read without it:
    std::atomic<bool> is_warm_ = false;
    std::atomic<std::int64_t> shown_left_ = 0;
    std::atomic<std::int64_t> claims_ = 0;  // won by this process
    std::atomic<Clock::time_point> loaded_at_{};
    std::array<Share, kShares> shares_;

    mutable Mutex mutex_;
    Position position_ GUARDED_BY(mutex_);
    std::int64_t left_ GUARDED_BY(mutex_) = 0;
    std::int64_t left_place_ GUARDED_BY(mutex_) = 0;
    std::optional<bool> told_sold_out_ GUARDED_BY(mutex_);
};

}  // namespace sluice::redis
