#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

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
#include "adapters/sqlite/ledgers/sessions.hpp"
#include "adapters/sqlite/ledgers/settings.hpp"
#include "adapters/sqlite/ledgers/stats.hpp"
#include "adapters/sqlite/ledgers/tickets.hpp"
#include "adapters/sqlite/ledgers/trail.hpp"
#include "adapters/sqlite/ledgers/users.hpp"
#include "adapters/sqlite/ledgers/webhooks.hpp"

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
/// Outlives the coroutines that call its ports; its end finishes what waits. The event loops they
/// run on outlive it: its threads tell them of results to the last.
class Ledger {
  public:
    /// Throws SchemaError for a database that is not ours or not up to date, Outage when it
    /// cannot be opened.
    explicit Ledger(const LedgerOptions& options);

    UserLedger& users() { return users_; }
    SessionLedger& sessions() { return sessions_; }
    CatalogLedger& catalog() { return catalog_; }
    TrailLedger& trail() { return trail_; }
    ReceiptLedger& receipts() { return receipts_; }
    OrderLedger& orders() { return orders_; }
    OrderList& order_list() { return any_orders_; }
    PaymentLedger& payments() { return payments_; }
    SandboxLedger& sandbox() { return sandbox_; }
    BlockLedger& blocks() { return blocks_; }
    SettingsLedger& settings() { return settings_; }
    StatsLedger& stats() { return stats_; }
    WebhookLedger& webhooks() { return webhooks_; }

    /// The way in for tickets. Its end waits for those under way; the ledger outlives it.
    std::unique_ptr<OrderIntake> open_intake(const Clock& clock, IdSource& ids,
                                             const IntakeOptions& options = {}) {
        return std::make_unique<GroupIntake>(writer_, news_, clock, ids, options);
    }

    /// What a writer decides tickets with that came by another way. The ledger outlives it.
    std::unique_ptr<TicketLedger> open_tickets(const Clock& clock, IdSource& ids,
                                               std::function<void(Timestamp)> on_hold) {
        return std::make_unique<Tickets>(writer_, readers_, news_, clock, ids, std::move(on_hold));
    }

    /// Hears of every change that the intake, a payment, a way back or an operator makes to a sale,
    /// and of the tickets and orders of those buyers whom it wants.
    void on_news(News::Listener listener, News::Wants wants) {
        news_.listen(std::move(listener), std::move(wants));
    }

    /// Called on the writer's thread after each commit of ours, whatever is in it; it must not
    /// block or throw. The one before is never called again once this has returned.
    void on_commit(std::function<void()> callback);

    /// Turns good again by itself, half a second after the disk does. From any thread.
    Health health() const { return writer_.health(); }
    std::size_t waiting_writes() const { return writer_.waiting(); }
    std::uint64_t commits() const { return writer_.commits(); }
    std::uint64_t reads() const { return readers_.reads(); }
    std::uint64_t log_bytes() const { return writer_.log_bytes(); }

    /// Whether what is archived can be read.
    Task<ArchiveState> archive_state() { return readers_.read<ArchiveState>(look_at_archive); }

    /// Called on the writer's thread when another process has committed, at most half a second
    /// later; it must not block or throw.
    void on_external_change(std::function<void()> callback) {
        writer_.on_external_change(std::move(callback));
    }

  private:
    void conclude(bool committed);

    News news_;
    std::mutex commit_mutex_;
    std::function<void()> commit_callback_ = [] {};  // under commit_mutex_
    Writer writer_;
    ReaderPool readers_;
    ArchiveReturns returns_;
    Users users_{writer_, readers_};
    Sessions sessions_{writer_, readers_};
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
