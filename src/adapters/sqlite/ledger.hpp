#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "adapters/sqlite/engine/news.hpp"
#include "adapters/sqlite/engine/reader_pool.hpp"
#include "adapters/sqlite/engine/writer.hpp"
#include "adapters/sqlite/ledgers/archive.hpp"
#include "adapters/sqlite/ledgers/archive_returns.hpp"
#include "adapters/sqlite/ledgers/blocks.hpp"
#include "adapters/sqlite/ledgers/catalog.hpp"
#include "adapters/sqlite/ledgers/group_intake.hpp"
#include "adapters/sqlite/ledgers/order_list.hpp"
#include "adapters/sqlite/ledgers/orders.hpp"
#include "adapters/sqlite/ledgers/payments.hpp"
#include "adapters/sqlite/ledgers/receipts.hpp"
#include "adapters/sqlite/ledgers/sandbox.hpp"
#include "adapters/sqlite/ledgers/second_factors.hpp"
#include "adapters/sqlite/ledgers/sessions.hpp"
#include "adapters/sqlite/ledgers/settings.hpp"
#include "adapters/sqlite/ledgers/stats.hpp"
#include "adapters/sqlite/ledgers/tickets.hpp"
#include "adapters/sqlite/ledgers/trail.hpp"
#include "adapters/sqlite/ledgers/users.hpp"
#include "adapters/sqlite/ledgers/webhooks.hpp"
#include "base/mutex.hpp"
#include "ports/ledgers.hpp"

namespace sluice::sqlite {

struct LedgerOptions {
    std::filesystem::path file;
    std::size_t batch = 512;       // jobs in one transaction
    std::size_t backlog = 8'192;   // jobs waiting, for the writer and for the readers each
    std::size_t readers = 2;       // threads
    const Clock* clock = nullptr;  // what SQL takes for now; nullptr: the system's
    std::function<CheckpointPermit()> may_checkpoint = always_checkpoint;  // as WriterOptions
};

/// The system of record in one SQLite file. Other processes may use the same file meanwhile.
class Ledger final : public Ledgers {
  public:
    /// Throws SchemaError for a database that is not ours or not up to date, Outage when it
    /// cannot be opened.
    explicit Ledger(const LedgerOptions& options);

    UserLedger& users() override { return users_; }
    SessionLedger& sessions() override { return sessions_; }
    SecondFactorLedger& second_factors() override { return second_factors_; }
    CatalogLedger& catalog() override { return catalog_; }
    TrailLedger& trail() override { return trail_; }
    ReceiptLedger& receipts() override { return receipts_; }
    OrderLedger& orders() override { return orders_; }
    OrderList& order_list() override { return any_orders_; }
    PaymentLedger& payments() override { return payments_; }
    SandboxLedger& sandbox() override { return sandbox_; }
    BlockLedger& blocks() override { return blocks_; }
    SettingsLedger& settings() override { return settings_; }
    StatsLedger& stats() override { return stats_; }
    WebhookLedger& webhooks() override { return webhooks_; }

    std::unique_ptr<OrderIntake> open_intake(const Clock& clock, IdSource& ids,
                                             const IntakeOptions& options) override {
        return std::make_unique<GroupIntake>(writer_, news_, clock, ids, options);
    }
    std::unique_ptr<TicketLedger> open_tickets(const Clock& clock, IdSource& ids,
                                               std::function<void(Timestamp)> on_hold) override {
        return std::make_unique<Tickets>(writer_, readers_, news_, clock, ids, std::move(on_hold));
    }

    /// Turns good again half a second after the disk does.
    LedgerHealth health() const override { return writer_.health(); }
    std::size_t waiting_writes() const { return writer_.waiting(); }
    std::uint64_t commits() const { return writer_.commits(); }
    std::uint64_t reads() const { return readers_.reads(); }
    std::uint64_t log_bytes() const { return writer_.log_bytes(); }

    /// Whether what is archived can be read.
    Task<ArchiveState> archive_state() { return readers_.read<ArchiveState>(look_at_archive); }

  private:
    // All three on the writer's thread: news in the order of the commits, a change from outside at
    // most half a second after its commit.
    void set_news_listener(OnNews listener, Wants wants) override {
        news_.listen(std::move(listener), std::move(wants));
    }
    void set_commit_callback(std::function<void()> callback) override;
    void set_external_change_callback(std::function<void()> callback) override {
        writer_.on_external_change(std::move(callback));
    }
    void conclude(bool committed);

    News news_;
    Mutex commit_mutex_;
    std::function<void()> commit_callback_ GUARDED_BY(commit_mutex_);
    Writer writer_;
    ReaderPool readers_;
    ArchiveReturns returns_;
    Users users_{writer_, readers_};
    Sessions sessions_{writer_, readers_};
    SecondFactorBook second_factors_{writer_, readers_};
    Catalog catalog_{writer_, readers_, news_};
    Trail trail_{writer_, readers_};
    Receipts receipts_{writer_, readers_};
    Orders orders_{writer_, readers_, news_};
    AnyOrders any_orders_{readers_};
    Payments payments_{writer_, readers_, news_, returns_};
    SandboxBooks sandbox_{writer_, readers_};
    Blocks blocks_{writer_, readers_};
    Settings settings_{writer_, readers_};
    Stats stats_{writer_, readers_};
    Webhooks webhooks_{writer_, readers_};
};

}  // namespace sluice::sqlite
