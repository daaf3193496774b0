#pragma once

#include <atomic>
#include <map>
#include <vector>

#include "adapters/redis/client.hpp"
#include "adapters/redis/keys.hpp"
#include "base/mutex.hpp"
#include "domain/pass.hpp"
#include "ports/clock.hpp"
#include "ports/entry_desk.hpp"
#include "ports/random.hpp"

namespace sluice::redis {

/// The entry desk of several nodes: places and challenges are in Redis, and each request is one
/// script. The clock of Redis is used, so that nodes whose clocks differ agree on who waits and
/// whose place is over. Each key expires.
class RedisEntryDesk final : public EntryDesk {
  public:
    RedisEntryDesk(Client& client, const Passes& passes, Random& random, const Clock& clock)
        : client_(client),
          keys_(client.options().prefix),
          passes_(passes),
          random_(random),
          clock_(clock) {}

    Task<Answer> enter(Request request) override;
    std::optional<Answer> enter_at_once(const Request&) override { return std::nullopt; }
    Task<Done> keep(Entrant entrant, GivenFormula formula) override;
    void note_claim(UserId buyer, SaleId sale, bool may_claim_more) override;
    Task<Done> sweep(std::function<bool(SaleId)> is_selling) override;
    bool has_issued() const override { return has_issued_.load(std::memory_order_relaxed); }
    bool has_places() const override;
    std::uint64_t lapses() const override { return lapses_.load(std::memory_order_relaxed); }
    std::size_t waiting() const override;

    /// Tells Redis of the claims that were noted. To be called ten times a second; what cannot be
    /// told is kept for the next time, and an enter() of the same buyer tells it too.
    Task<> tell_claims();

  private:
    /// A sale that this node was asked about, as of its last sweep.
    struct Seen {
        std::int64_t places = 0;
        std::int64_t waiting = 0;
        int idle_sweeps = 0;  // in a row
    };
    struct Claim {
        Entrant entrant;
        Call call;
    };
    static constexpr std::size_t kMostClaims = 10'000;
    static constexpr int kIdleSweeps = 120;

    Call call_of(std::string what, const Entrant& entrant, std::int64_t most_places);
    Call enter_call(const Request& request);
    Answer read(const Reply& reply, const Entrant& entrant);
    Issued make_pass(const Reply& reply, const Entrant& entrant);
    static std::vector<Call> calls_of(const std::vector<Claim>& claims);
    std::vector<Claim> take_claims();
    std::vector<Claim> take_claims_of(const Entrant& entrant);
    void put_back(std::vector<Claim> claims);
    void note_sweep(SaleId sale, const Reply& reply);

    Client& client_;
    const Keys keys_;
    const Passes& passes_;
    Random& random_;
    const Clock& clock_;
    std::atomic<bool> has_issued_ = false;
    std::atomic<std::uint64_t> lapses_ = 0;

    mutable Mutex mutex_;
    std::vector<Claim> claims_ GUARDED_BY(mutex_);  // that Redis was not told of yet
    std::map<SaleId, Seen> sales_ GUARDED_BY(mutex_);
};

}  // namespace sluice::redis
