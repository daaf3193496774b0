#include <csignal>
#include <iostream>

#include <unistd.h>

#include "assembly/server_setup.hpp"
#include "assembly/shop.hpp"
#include "base/run_to_end.hpp"
#include "main/commands.hpp"
#include "main/demo.hpp"
#include "main/mariadb_tier.hpp"
#include "main/memory_tier.hpp"
#include "main/password.hpp"
#include "main/rabbitmq_tier.hpp"
#include "main/redis_tier.hpp"
#include "main/sqlite_tier.hpp"
#include "main/unfinished_restore.hpp"

namespace sluice {
namespace {

/// As root, a vulnerability of the server would be one of the whole machine.
void warn_of_root(Log& log) {
    if (::geteuid() == 0)
        log.warn("server.runs_as_root",
                 {{"advice", "give it a user of its own, who owns the data folder only"}});
}

std::unique_ptr<LedgerTier> make_ledger_tier(const Config& config, Store& store, Log& log) {
    if (store.is_mariadb()) return std::make_unique<MariadbTier>(config, store, log);
    return std::make_unique<SqliteTier>(config, store, log);
}

std::unique_ptr<HotTier> make_hot_tier(const Config& config, Store& store, const Catalog& catalog,
                                       const Passes& passes, const http::Server& server, Log& log) {
    if (config.hot.kind == HotKind::redis)
        return std::make_unique<RedisTier>(config, store, catalog, passes, server.loops(), log);
    return std::make_unique<MemoryTier>(config, store.ledger, catalog, passes, store.node.part,
                                        store.random, store.clock);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ",") + word;
    return text;
}

std::unique_ptr<BrokerTier> make_broker_tier(const Config& config, Log& log) {
    if (config.broker.kind == BrokerKind::none) return nullptr;
    return std::make_unique<RabbitmqTier>(config, log);
}

}  // namespace

int serve(const Loaded& loaded, const ServeOptions& options) {
    const Config& config = loaded.config;
    std::signal(SIGPIPE, SIG_IGN);  // a client or a log reader that has gone must not end us
    std::signal(SIGHUP, SIG_IGN);   // until the keeper hears it
    Log log = make_log(config.log);
    warn_of_root(log);
    SystemRandom random;
    // The listeners come first: if the port is taken, nothing else has been changed yet.
    HttpFront front(config, random, log);
    // Like the server's loops, the keeper's loop outlives the ledger, whose threads post to it.
    Keeper keeper(log);
    const ServerLock lock{DataFolder(config.data)};
    if (config.ledger.kind == LedgerKind::sqlite && finish_restore(DataFolder(config.data), lock))
        log.warn("restore.finished", {{"reason", "it was cut short"}});
    Store store(config, lock, options.trust_clock);
    const auto tier = make_ledger_tier(config, store, log);
    auto& ledger = *tier;
    LimitScope limit_scope(config.limits.enabled, config.limits.exempt);
    Catalog catalog(store.ledger.catalog());
    run_to_end(catalog.reload());
    PassOffice passes(store.folder.path(), store.random, store.clock, log);
    const auto hot = make_hot_tier(config, store, catalog, passes.passes, front.server, log);
    const auto broker = make_broker_tier(config, log);
    Shop shop({.loaded = loaded,
               .front = front,
               .keeper = keeper,
               .ledger = ledger,
               .hot = *hot,
               .broker = broker.get(),
               .passes = passes,
               .catalog = catalog,
               .limit_scope = limit_scope,
               .keys = store.keys,
               .mail_password =
                   read_password(config.alerts.mail_password, config.alerts.mail_password_file,
                                 "alerts.mail_password_file"),
               .tokens = store.tokens,
               .hasher = store.hasher,
               .clock = store.clock,
               .random = store.random,
               .ids = store.ids,
               .log = log});
    std::string demo_logins;
    if (options.demo && !ledger.loss())
        demo_logins = fill_demo(store, catalog, shop.accounts.registration,
                                shop.shop_front.item_editor, shop.line.editor);

    log.info("server.started", {{"url", front.server.shop_url()},
                                {"office", front.server.office_url()},
                                {"threads", front.threads},
                                {"roles", joined(config.roles.names())},
                                {"data", config.data.string()},
                                {"items", catalog.items()},
                                {"sales", catalog.sales()}});
    std::cout << "Sluice is open at " << front.server.shop_url() << "\n"
              << demo_logins << std::flush;
    shop.run();
    log.info("server.stopped");
    return 0;
}

}  // namespace sluice
