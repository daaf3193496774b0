#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/purchase/hot_outbox.hpp"
#include "base/mutex.hpp"
#include "domain/hot_copy.hpp"
#include "domain/sale.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"
#include "ports/order_ledger.hpp"
#include "ports/stock_gate.hpp"

namespace sluice {

/// Keeps the hot copies in line with the sales and with the ledger. It fills copies that are
/// missing, of another epoch or of another ledger, drops those of sales that are over, and compares
/// the others with the ledger, a few each round. A copy that differs twice, while nothing changes
/// in between, has drifted and is filled anew. Filling anew is always safe: each change to the sale
/// is either in what was read or an outbox row after it. So a round may fail at any point and be
/// repeated.
class HotCopyKeeper {
  public:
    /// How long a copy is kept after its sale's end: longer than a pass is valid and than a claim
    /// may be under way.
    static constexpr std::chrono::minutes kKeptAfterEnd{2};
    /// If a sale that should sell has been cold for longer, the server is not ready.
    static constexpr std::chrono::seconds kPatience{5};
    static constexpr std::chrono::seconds kPause{1};
    /// Limits for one round: copies filled, copies compared, and holdings read for comparing.
    static constexpr std::size_t kMostFilled = 64;
    static constexpr std::size_t kMostCompared = 16;
    static constexpr std::size_t kMostRead = 50'000;
    /// For how many rounds a copy is kept whose sale is not shown here: another node may have made
    /// the sale, and this one has not read it yet.
    static constexpr int kRoundsUnknown = 60;
    /// Holdings in one step of filling.
    static constexpr std::size_t kChunk = 10'000;

    /// Visits every sale as it is shown to those who claim, its window and its epoch, and the
    /// present number of the last row of its hot outbox.
    using VisitSale = std::function<void(const Sale&, std::int64_t hot_seq)>;
    using VisitSales = std::function<void(const VisitSale&)>;

    HotCopyKeeper(StockGate& gate, OrderLedger& ledger, HotOutbox& outbox, VisitSales visit_sales,
                  const Clock& clock, Log& log)
        : gate_(gate),
          ledger_(ledger),
          outbox_(outbox),
          visit_sales_(std::move(visit_sales)),
          clock_(clock),
          log_(log) {}

    /// At start, before anybody can claim: fills the copies of all sales that have not ended, in
    /// the epochs that they have. Only for copies that ended with the former process: no ticket of
    /// that process is under way, so the epoch does not come twice.
    Task<> fill_at_start();

    /// Fills the copy of a sale that was just made, in its first epoch, of which there was no copy
    /// yet.
    Task<> fill_new(SaleId sale);

    /// From now on claims are judged by these terms, wherever they are made. Throws nothing: if the
    /// copy is away, a later round tells it.
    Task<> tell_terms(Sale sale);

    /// One round; returns how long to pause. May throw Outage: what is cold stays cold until a
    /// later round.
    Task<std::chrono::milliseconds> look_after_copies();

    /// Fills the copy of a sale anew, whatever state it is in. False when it was not accepted; a
    /// later round tries again.
    Task<bool> fill(SaleId sale);

    /// The copy lacks something that is committed: the next round fills it anew. From any thread.
    void suspect(SaleId sale);

    /// For a node that does not look after the copies otherwise: fills those that are suspected
    /// here. May throw Outage: then a later call tries again.
    Task<> fill_suspects();

    // As of the last round, from any thread:

    HotCopyFinding finding(SaleId sale) const;
    /// Why a sale that should sell has been closed for buyers for a while; nullopt when there is no
    /// such sale.
    std::vector<Notice> complaints() const;
    std::size_t copies() const;
    std::size_t cold() const;
    std::size_t drifting() const;
    std::uint64_t drifts() const;

  private:
    /// A sale that needs its copy, or needed it until lately.
    struct LiveSale {
        SaleId id;
        std::int64_t epoch = 1;  // as claims name it
        std::int64_t hot_seq = 0;
        bool is_over = false;     // it has ended by now
        bool is_selling = false;  // it has begun and is not paused
        StockGate::Terms terms;
    };
    /// What the ledger had when a copy was first found to differ from it.
    struct Suspicion {
        std::uint64_t changes = 0;
        OrderLedger::HotCopy ledger;
    };
    struct Record {
        HotCopyFinding finding;
        bool is_selling = false;
    };

    std::vector<LiveSale> live_sales(Timestamp now) const;
    Task<std::optional<std::string>> ledger_name();
    std::vector<SaleId> note_sales(const std::vector<LiveSale>& live,
                                   const std::vector<StockGate::OpenCopy>& filled,
                                   const std::optional<std::string>& ledger, Timestamp now);
    Task<> fill_some(std::vector<SaleId> cold);
    Task<bool> fill_from(OrderLedger::HotCopy copy);
    Task<> catch_up(std::vector<LiveSale> live, std::vector<StockGate::OpenCopy> filled);
    Task<> tell_terms_of(SaleId sale);
    Task<> tell_terms_to(std::vector<StockGate::OpenCopy> filled, std::vector<LiveSale> live);
    Task<> forget_over(std::vector<StockGate::OpenCopy> filled, std::set<SaleId> live);
    Task<> compare_some(std::vector<StockGate::OpenCopy> filled);
    Task<std::size_t> compare(SaleId sale);
    Task<> heal(SaleId sale, std::vector<Notice> differences);
    std::vector<SaleId> next_to_compare(const std::vector<StockGate::OpenCopy>& filled) const;
    void note_filled(SaleId sale, std::int64_t epoch);
    void note_agreed(SaleId sale);
    std::set<SaleId> take_suspects();

    StockGate& gate_;
    OrderLedger& ledger_;
    HotOutbox& outbox_;
    const VisitSales visit_sales_;
    const Clock& clock_;
    Log& log_;

    // Used by the rounds only:
    std::map<SaleId, int> over_;  // copies that may be dropped, since how many rounds
    std::map<SaleId, Suspicion> suspicions_;
    SaleId compared_last_{0};
    std::exception_ptr failure_;  // of this round, told when it is over

    mutable Mutex mutex_;
    std::map<SaleId, Record> records_ GUARDED_BY(mutex_);
    std::set<SaleId> suspects_ GUARDED_BY(mutex_);
    std::uint64_t drifts_ GUARDED_BY(mutex_) = 0;
    std::size_t copies_ GUARDED_BY(mutex_) = 0;
};

}  // namespace sluice
