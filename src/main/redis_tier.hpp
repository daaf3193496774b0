#pragma once

#include <future>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>

#include "adapters/memory/memory_session_store.hpp"
#include "adapters/redis/redis_buyer_signals.hpp"
#include "adapters/redis/redis_desks.hpp"
#include "adapters/redis/redis_nodes.hpp"
#include "adapters/redis/redis_stock_gate.hpp"
#include "app/catalog/sold_out_flags.hpp"
#include "assembly/hot_tier.hpp"
#include "base/asio_loop.hpp"
#include "config/config.hpp"
#include "main/redis_duty.hpp"
#include "main/redis_watch.hpp"
#include "main/store.hpp"

namespace sluice {

/// The hot tier of a cluster: Redis, which all nodes share. Each event loop of the server has a
/// link of its own. Callers on other threads, such as the keeper's workers, use the link of a
/// thread that the tier has for them, and for following the logs of the sales.
class RedisTier final : public HotTier {
  public:
    /// `loops` are the server's; each has to be released with leave(). Throws DataError or
    /// std::runtime_error when a file that the configuration names cannot be read.
    RedisTier(const Config& config, Store& store, const Catalog& catalog, const Passes& passes,
              const std::vector<AsioLoop*>& loops, Log& log);
    ~RedisTier() override;

    StockGate& gate() override { return gate_; }
    SessionStore& sessions() override { return sessions_; }
    EntryDesk& entry() override { return desks_.entry; }
    CodeBox& codes() override { return desks_.codes; }
    SharedCounts* counts() override { return &desks_.counts; }
    BuyerSignals* signals() override { return &signals_; }
    NodeDirectory& nodes() override { return nodes_; }
    bool ends_with_process() const override { return false; }
    bool is_on_duty() const override { return duty_.is_mine(); }
    bool is_first_edge() const override { return first_edge_.is_mine(); }

    void employ(Keeper& keeper) override;
    void add_metrics(MetricsPage& metrics) const override;
    std::vector<api::PartHealth> health() const override { return {watch_.health()}; }
    void leave(AsioLoop& loop) override { client_.leave(loop); }
    Task<> stop() override { return sessions_.write_extensions(); }

  private:
    void run_to_stop(Task<> task, std::promise<void>& ended, Log& log);

    boost::asio::io_context context_{1};
    AsioLoop loop_{context_};
    boost::asio::executor_work_guard<AsioExecutor> busy_{context_.get_executor()};
    SoldOutFlags flags_;
    redis::Client client_;
    redis::Client following_;
    redis::Client hearing_;
    redis::RedisStockGate gate_;
    redis::RedisBuyerSignals signals_;
    redis::RedisDesks desks_;
    MemorySessionStore sessions_;
    RedisWatch watch_;
    const Roles roles_;
    RedisDuty duty_, first_edge_;
    redis::RedisNodes nodes_;
    std::promise<void> has_followed_, has_heard_;
    std::thread thread_;
};

}  // namespace sluice
