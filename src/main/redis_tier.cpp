#include "main/redis_tier.hpp"

#include <pthread.h>

#include "base/reason_of.hpp"
#include "base/run_to_end.hpp"
#include "main/redis_options.hpp"
#include "main/session_terms.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

std::vector<AsioLoop*> with_first(AsioLoop& first, const std::vector<AsioLoop*>& others) {
    std::vector<AsioLoop*> all{&first};
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

}  // namespace

RedisTier::RedisTier(const Config& config, Store& store, const Catalog& catalog,
                     const Passes& passes, const std::vector<AsioLoop*>& loops, Log& log)
    : flags_(catalog),
      client_(redis_options(config.hot), with_first(loop_, loops)),
      following_(redis_options(config.hot), {&loop_}),
      hearing_(redis_options(config.hot), {&loop_}),
      gate_(client_, following_, &flags_),
      signals_(client_, hearing_),
      desks_(client_, store.ledger.sessions(), passes, store.random, store.clock),
      sessions_(desks_.sessions, terms_of(config.accounts), MemorySessionStore::kMostSessions,
                &desks_.sessions),
      watch_(client_, log),
      roles_(config.roles),
      duty_(client_, "duty", log),
      first_edge_(client_, "first_edge", log),
      nodes_(client_, store.node.part, store.clock) {
    loop_.post([this, &log] {
        run_to_stop(gate_.follow(), has_followed_, log);
        run_to_stop(signals_.follow(), has_heard_, log);
    });
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "redis");
        context_.run();
    });
}

void RedisTier::run_to_stop(Task<> task, std::promise<void>& ended, Log& log) {
    start_task(loop_, std::move(task), [&ended, &log](const std::exception_ptr& failure) {
        if (failure) log.error("redis.follower_ended", {{"reason", reason_of(failure)}});
        ended.set_value();
    });
}

RedisTier::~RedisTier() {
    loop_.post([this] {
        gate_.stop_following();
        signals_.stop();
    });
    run_to_end(following_.stop());
    run_to_end(hearing_.stop());
    has_followed_.get_future().wait();
    has_heard_.get_future().wait();
    run_to_end(client_.stop(loop_));
    busy_.reset();
    thread_.join();
}

void RedisTier::employ(Keeper& keeper) {
    keeper.employ("redis_watch", 1s, [this] { return watch_.look(); });
    if (roles_.keeper) keeper.employ("duty_lease", 2s, [this] { return duty_.look(); });
    // A node without streams also signals what it commits, for buyers at the edges.
    keeper.employ("signal_sender", redis::RedisBuyerSignals::kPace,
                  [this] { return signals_.pass_on(); });
    if (!roles_.edge) return;
    keeper.employ("edge_lease", 2s, [this] { return first_edge_.look(); });
    keeper.employ("flag_healer", 1s, [this] { return flags_.heal(gate_); });
    keeper.employ("desk_teller", redis::RedisDesks::kTellPace, [this] { return desks_.tell(); });
    keeper.employ("session_copies", redis::RedisDesks::kCatchUpPace,
                  [this] { return desks_.catch_up(); });
    keeper.employ("session_writer", 5s, [this] { return sessions_.write_extensions(); });
}

void RedisTier::add_metrics(MetricsPage& metrics) const {
    watch_.add_metrics(metrics);
    metrics.add_counter("sluice_buyer_signals_lost_total",
                        "Signals to other nodes that Redis did not take.",
                        [this] { return static_cast<double>(signals_.lost()); });
}

}  // namespace sluice
