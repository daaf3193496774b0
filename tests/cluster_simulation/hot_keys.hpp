#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster_simulation/switches.hpp"
#include "ports/stock_gate.hpp"

namespace sluice::cluster_simulation {

/// Identifies the Redis of a connection: its run_id and its master_replid, read at each connect.
struct RunId {
    std::uint64_t server = 0;
    std::uint64_t replication = 0;

    friend bool operator==(const RunId&, const RunId&) = default;
};

/// The keys of one sale in one Redis, and the verbs on them: what the scripts do, each as one
/// atomic step. A verb that changes units names its epoch and the run id of its connection, and
/// changes nothing unless both are those of the present copy. It keeps the contract of StockGate
/// (tests/contract/stock_gate_contract.cpp).
class HotKeys {
  public:
    using Verdict = StockGate::Verdict;
    using Filling = StockGate::Filling;

    enum class Stage { claimed, handed_off, condemned };
    struct OpenClaim {
        Ticket ticket;
        Stage stage = Stage::claimed;
    };
    /// The keys with an epoch's name. An empty optional is a missing key. `buyers`, `open` and
    /// `done` contain a sentinel, so that a key without entries exists all the same.
    struct Epoch {
        std::optional<std::int64_t> left;
        std::optional<std::int64_t> applied;
        std::optional<RunId> run;
        std::optional<std::string> ledger;
        std::optional<std::map<UserId, std::int64_t>> buyers;
        std::optional<std::map<TicketId, OpenClaim>> open;
        std::optional<std::set<TicketId>> done;

        bool is_whole() const;
    };

    explicit HotKeys(Switch left_out) : left_out_(left_out) {}

    StockGate::Claimed claim(const RunId& run, const Ticket& ticket, std::int64_t limit);
    std::vector<TicketId> hand_off(const RunId& run,
                                   const std::vector<StockGate::ClaimName>& claims);
    bool is_open(const RunId& run, const TicketId& ticket, UserId buyer);
    std::optional<TicketId> latest_open(const RunId& run, UserId buyer);
    std::vector<Ticket> condemn(const RunId& run, Timestamp claimed_before);
    std::vector<Ticket> handed_off(const RunId& run, Timestamp claimed_before);
    std::vector<TicketId> settle(const RunId& run, const std::vector<StockGate::ClaimName>& claims);
    void release(const RunId& run, const std::vector<StockGate::ClaimName>& claims);
    std::optional<std::int64_t> apply(const RunId& run, std::int64_t epoch,
                                      const std::vector<HotChange>& rows);

    bool begin_fill(const RunId& run, const Filling& filling, std::int64_t left,
                    std::int64_t applied);
    bool fill(const RunId& run, const Filling& filling, const StockGate::Holdings& chunk);
    bool open_epoch(const RunId& run, const Filling& filling);
    bool forget(const RunId& run, std::int64_t epoch);
    StockGate::Glance glance(const RunId& run, UserId buyer);
    std::optional<StockGate::OpenCopy> open_copy(const RunId& run, SaleId sale);
    std::optional<StockGate::Snapshot> snapshot(const RunId& run);
    StockGate::UnderWay under_way(const RunId& run);

    /// The present copy, when it is whole and was filled on this run; else nullptr.
    Epoch* present(const RunId& run);
    /// For checks: the present copy as it is, even if it is not whole.
    const Epoch* look() const;
    /// Of the copy that was opened last, even if it is not whole; 0 when the key is missing.
    std::int64_t epoch() const { return epoch_.value_or(0); }
    std::uint64_t changes() const { return changes_; }

    /// A fault: one of the keys is lost.
    static constexpr std::size_t kKeys = 8;
    void lose_key(std::size_t which);

  private:
    Epoch* of(const RunId& run, std::int64_t epoch);
    Epoch* draft(const RunId& run, const Filling& filling);
    /// Whether a copy of this epoch must not be filled any more.
    bool is_too_old(std::int64_t filling) const;
    bool is_same(const RunId& a, const RunId& b) const;
    void close(Epoch& keys, const TicketId& ticket);
    void move_units(Epoch& keys, UserId buyer, std::int64_t units);
    template <class Each>
    void visit_open(const RunId& run, const Each& each);

    Switch left_out_;
    std::optional<std::int64_t> epoch_;
    std::map<std::int64_t, Epoch> epochs_;
    /// Open claims of former epochs. They hold no units; their outcome is not known yet.
    std::map<TicketId, OpenClaim> former_;
    std::int64_t decided_ = 0;
    std::uint64_t changes_ = 0;  // of what is told by a snapshot
    std::map<UserId, std::int64_t> changes_of_;
};

}  // namespace sluice::cluster_simulation
