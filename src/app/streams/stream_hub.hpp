#pragma once

#include <array>
#include <atomic>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "app/catalog/catalog.hpp"
#include "base/address.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "domain/buyer_news.hpp"
#include "domain/session_token.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Why the server ends a stream.
enum class Dismissal { session_ended, blocked };

/// One open stream, as the hub sees it. Called on the thread of its event loop.
class StreamListener {
  public:
    virtual ~StreamListener() = default;

    virtual void hear(const BuyerNews& news) = 0;
    /// The sale as it is now, in a message that is shared by all who watch it.
    virtual void hear(SaleId sale, std::shared_ptr<const std::string> words) = 0;
    virtual void dismiss(Dismissal why) = 0;
};

/// Brings news to the open streams: of tickets and orders to their buyer, of sales to whoever
/// watches them.
///
/// The hub looks at a watched sale several times a second instead of counting its changes. So a
/// rush of purchases is one message, a state that changes with time alone is noticed like any
/// other, and a change that was missed is found by the next look. The message is made once for all
/// who watch.
///
/// Each event loop has a shard, which only its thread uses.
class StreamHub {
    struct Shard;

  public:
    /// A /48 has 65,536 of a household's /64, and one household may be given all of them.
    static constexpr std::size_t kHouseholdsOfSite = 2;

    struct Limits {
        std::size_t all;
        std::size_t per_user;
        std::size_t per_address;  // an IPv4 address or an IPv6 /64; a /48 has twice as many
        std::size_t watched;
        std::function<bool(const Address&)> exempts;  // networks without a limit by address
    };
    StreamHub(const Catalog& catalog, const Clock& clock, std::span<Executor* const> loops,
              Limits limits);
    ~StreamHub();
    StreamHub(const StreamHub&) = delete;
    StreamHub& operator=(const StreamHub&) = delete;

    /// Whom a stream belongs to.
    struct Guest {
        SessionKey session;
        UserId buyer;
        Address address;
    };

    /// A stream's share of the limits, given back at its end. From any thread.
    class Reservation {
      public:
        Reservation(Reservation&& other) noexcept;
        Reservation& operator=(Reservation&&) = delete;
        ~Reservation();

      private:
        friend class StreamHub;
        Reservation(StreamHub& hub, unsigned loop, std::uint64_t number, UserId buyer);

        StreamHub* hub_;  // nullptr once it was moved from
        unsigned loop_;
        std::uint64_t number_;
        UserId buyer_;
    };

    /// A stream that gets its buyer's tickets and orders until its end. On the thread of its loop.
    class Seat {
      public:
        Seat(Reservation reservation, StreamListener& listener);
        ~Seat();
        Seat(const Seat&) = delete;
        Seat& operator=(const Seat&) = delete;

        enum class Watched { yes, no_such_sale, too_many };
        /// The stream gets the sale at once, and again when it has changed.
        Watched watch(SaleId sale);
        void unwatch(SaleId sale);

      private:
        Shard& shard() const;

        const Reservation reservation_;
        StreamHub& hub_;
        StreamListener& listener_;
        std::vector<SaleId> watched_;
    };

    enum class Full { of_all, of_user, of_address };
    std::expected<Reservation, Full> admit(const Guest& guest, unsigned loop);

    /// False only if certainly no stream is open for that buyer. From any thread, without waiting.
    bool may_want(UserId buyer) const noexcept;

    /// From any thread, in the order of the commits; the messages arrive in that order.
    void tell(std::span<const BuyerNews> news);

    /// Looks at every watched sale and sends those that have changed. From one thread.
    Task<> send_changed_sales();

    struct Presence {
        std::uint64_t number;
        Guest guest;
        Timestamp since;
    };
    /// All open streams. From any thread.
    std::vector<Presence> present() const;
    /// Ends the stream if it is still open. From any thread.
    void dismiss(std::uint64_t number, Dismissal why);

  private:
    /// What a message about a sale shows. If it is the same as before, none is sent.
    struct Look {
        SaleState state{};
        Stock stock;
        std::int64_t price_cents = 0;
        Timestamp starts_at;
        std::optional<Timestamp> ends_at;

        friend bool operator==(const Look&, const Look&) = default;
    };
    struct Board {
        Look look;
        std::shared_ptr<const std::string> words;
        std::uint64_t edition = 0;
        std::size_t watchers = 0;
    };
    struct Update {
        SaleId sale;
        std::shared_ptr<const std::string> words;
        std::uint64_t edition;
    };
    struct Row {
        Guest guest;
        unsigned loop;
        Timestamp since;
    };
    struct NetworkHash {
        std::size_t operator()(const Address&) const noexcept;
    };

    /// Posts to the shards that have listeners.
    template <class News>
    void spread(std::vector<News> news);
    static Look look_at(const DisplayedSale& displayed, Timestamp now);
    void write(Board& board, SaleId sale, const Look& look, Timestamp now) REQUIRES(mutex_);
    std::optional<Update> look_up_board(SaleId sale);
    void leave_board(SaleId sale);
    bool is_full(const Address& address) const REQUIRES(mutex_);
    void give_back(std::uint64_t number);

    const Catalog& catalog_;
    const Clock& clock_;
    const Limits limits_;
    std::vector<std::unique_ptr<Shard>> shards_;
    /// How many streams are open for the buyers whose ids have this hash.
    std::array<std::atomic<std::uint32_t>, 65'536> listening_{};

    mutable Mutex mutex_;
    std::uint64_t next_number_ GUARDED_BY(mutex_) = 1;
    // Counted over all boards, because a board may be removed and made again.
    std::uint64_t editions_ GUARDED_BY(mutex_) = 0;
    boost::unordered_flat_map<std::uint64_t, Row> rows_ GUARDED_BY(mutex_);
    boost::unordered_flat_map<UserId, std::size_t, std::hash<UserId>> by_user_ GUARDED_BY(mutex_);
    boost::unordered_flat_map<Address, std::size_t, NetworkHash> by_household_ GUARDED_BY(mutex_);
    boost::unordered_flat_map<Address, std::size_t, NetworkHash> by_site_ GUARDED_BY(mutex_);
    boost::unordered_flat_map<SaleId, Board, std::hash<SaleId>> boards_ GUARDED_BY(mutex_);
};

}  // namespace sluice
