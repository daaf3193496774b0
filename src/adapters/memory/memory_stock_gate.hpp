#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/mutex.hpp"
#include "base/shared_mutex.hpp"
#include "ports/stock_gate.hpp"
#include "ports/stock_signals.hpp"

namespace sluice {

/// The hot copy of an embedded server, rebuilt from the ledger at each start. A verb takes the lock
/// of its sale; a glance, which every refusal needs, takes only the lock of one share of the
/// buyers. A buyer who has claimed takes 16 bytes and a slot of a table.
class MemoryStockGate final : public StockGate {
  public:
    /// A ticket that is settled or released is known at least this long after its claim: longer
    /// than any request is under way, so that a late claim or settle of it is recognised.
    static constexpr std::chrono::minutes kMemory{5};

    /// Without `signals` there are no listeners.
    explicit MemoryStockGate(StockSignals* signals = nullptr) : signals_(signals) {}

    Glance glance(SaleId sale, UserId buyer) const override;
    Task<Claimed> claim(Ticket ticket, std::int64_t limit) override;
    Task<bool> is_open(TicketId ticket, UserId buyer) override;
    Task<std::optional<TicketId>> latest_open(SaleId sale, UserId buyer) override;
    Task<std::vector<TicketId>> hand_off(std::vector<ClaimName> claims) override;
    Task<std::vector<Ticket>> condemn(Timestamp claimed_before) override;
    Task<std::vector<Ticket>> handed_off(Timestamp claimed_before) override;
    Task<std::vector<TicketId>> settle(std::vector<ClaimName> claims) override;
    Task<Done> release(std::vector<ClaimName> claims) override;
    Task<std::optional<std::int64_t>> apply(SaleId sale, std::int64_t epoch,
                                            std::vector<HotChange> rows) override;
    Task<bool> begin_fill(Filling filling, std::int64_t left, std::int64_t applied) override;
    Task<bool> fill(Filling filling, Holdings chunk) override;
    Task<bool> open_epoch(Filling filling) override;
    Task<bool> forget(SaleId sale, std::int64_t epoch) override;
    Task<std::int64_t> opened_epoch(SaleId sale) override;
    Task<std::optional<OpenCopy>> open_copy(SaleId sale) override;
    Task<std::vector<OpenCopy>> open_copies() override;
    Task<std::optional<Snapshot>> snapshot(SaleId sale) override;
    Task<UnderWay> under_way() override;

  private:
    enum class Stage { claimed, handed_off, condemned };
    struct Open {
        Ticket ticket;
        Stage stage = Stage::claimed;
    };
    using OpenClaims = boost::unordered_flat_map<TicketId, Open, std::hash<TicketId>>;
    /// Recent tickets, in two generations: the older one is dropped when the newer one is old.
    class Recent {
      public:
        void add(const TicketId& id, Timestamp now);
        bool contains(const TicketId& id) const { return new_.contains(id) || old_.contains(id); }

      private:
        using Tickets = boost::unordered_flat_set<TicketId, std::hash<TicketId>>;
        Tickets new_, old_;
        Timestamp since_;
    };
    /// The units of buyers, in shares with a lock each.
    class HeldUnits {
      public:
        struct Held {
            std::int32_t units = 0;
            std::uint32_t changes = 0;
        };
        /// nullopt for a buyer who never claimed.
        std::optional<Held> find(UserId buyer) const;
        void add(UserId buyer, std::int64_t units);
        /// A buyer who is not in the new copy holds nothing, and is remembered. A glance meanwhile
        /// finds a buyer as before or as now, never forgotten.
        void replace(const Holdings& holdings);
        void visit(const std::function<void(UserId, std::int64_t)>& each) const;

      private:
        using All = boost::unordered_flat_map<UserId, Held, std::hash<UserId>>;

        static constexpr std::size_t kShares = 16;
        struct alignas(64) Share {
            mutable Mutex mutex;
            All held GUARDED_BY(mutex);
        };
        static std::size_t share_of(UserId buyer) { return std::hash<UserId>{}(buyer) % kShares; }

        std::array<Share, kShares> shares_;
    };
    /// A copy that is being filled.
    struct Draft {
        Filling filling;
        std::int64_t left = 0;
        std::int64_t applied = 0;
        Holdings holdings;
    };
    struct HotSale {
        // Changed under mutex, read without it:
        std::atomic<std::int64_t> epoch = 0;  // 0: closed until it is filled
        std::atomic<std::int64_t> left = 0;
        std::atomic<std::int64_t> claims = 0;  // won
        HeldUnits holdings;

        mutable Mutex mutex;
        std::uint64_t changes GUARDED_BY(mutex) = 0;
        std::int64_t decided GUARDED_BY(mutex) = 0;  // settled or released, also of former epochs
        OpenClaims open GUARDED_BY(mutex);
        // Of former epochs: their units do not count, and their outcome is not known.
        OpenClaims former GUARDED_BY(mutex);
        // The open claims of each buyer, the latest last. Nearly always one.
        using Tickets = boost::container::small_vector<TicketId, 1>;
        boost::unordered_flat_map<UserId, Tickets, std::hash<UserId>> open_of GUARDED_BY(mutex);
        Timestamp latest_claim GUARDED_BY(mutex);
        Recent done GUARDED_BY(mutex);  // settled or released
        std::int64_t applied GUARDED_BY(mutex) = 0;
        std::string ledger GUARDED_BY(mutex);
        std::optional<Draft> draft GUARDED_BY(mutex);
    };

    /// nullptr when there is none. The sale stays in the table as long as mutex_ is held.
    HotSale* find(SaleId sale) const REQUIRES_SHARED(mutex_);
    void visit_open(Timestamp claimed_before, const std::function<void(Open&)>& each) const;

    static OpenCopy copy_of(SaleId id, const HotSale& sale) REQUIRES(sale.mutex);
    static std::optional<TicketId> latest_of(const HotSale& sale, UserId buyer)
        REQUIRES(sale.mutex);
    static void drop_former(HotSale& sale, const TicketId& id) REQUIRES(sale.mutex) {
        sale.decided += static_cast<std::int64_t>(sale.former.erase(id));
    }
    static void close(HotSale& sale, const TicketId& id) REQUIRES(sale.mutex);
    void change_left(SaleId id, HotSale& sale, std::int64_t by) const REQUIRES(sale.mutex);
    void signal_sold_out(SaleId id, const HotSale& sale) const REQUIRES(sale.mutex);

    StockSignals* const signals_;
    mutable SharedMutex mutex_;  // taken before a sale's
    boost::unordered_flat_map<SaleId, std::unique_ptr<HotSale>, std::hash<SaleId>> sales_
        GUARDED_BY(mutex_);
};

}  // namespace sluice
