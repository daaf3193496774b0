#include <csignal>
#include <iostream>

#include "assembly/server_setup.hpp"
#include "assembly/shop.hpp"
#include "base/run_to_end.hpp"
#include "main/commands.hpp"
#include "main/demo.hpp"
#include "main/memory_tier.hpp"
#include "main/sqlite_tier.hpp"
#include "main/unfinished_restore.hpp"

namespace sluice {
namespace {

/// A demonstration has nobody to send messages, so it shows them.
Loaded with_demo(Loaded loaded) {
    if (!loaded.given.contains("sms.provider"))
        loaded.config.sms.provider = MessageSenderName::sandbox;
    return loaded;
}

}  // namespace

int serve(const Loaded& given, const ServeOptions& options) {
    const Loaded loaded = options.demo ? with_demo(given) : given;
    const Config& config = loaded.config;
    std::signal(SIGPIPE, SIG_IGN);  // a client or a log reader that left is no reason to end
    std::signal(SIGHUP, SIG_IGN);   // until the keeper hears it
    Log log = make_log(config.log);
    SystemRandom random;
    // The listeners come first: if the port is taken, nothing has been touched yet.
    HttpFront front(config, random, log);
    // Like the server's loops, the keeper's outlives the ledger, whose threads post to it.
    Keeper keeper(log);
    const ServerLock lock{DataFolder(config.data)};
    if (finish_restore(DataFolder(config.data), lock))
        log.warn("restore.finished", {{"reason", "it was cut short"}});
    Store store(config, lock, options.trust_clock);
    SqliteTier ledger(config, store, log);
    LimitScope limit_scope(config.limits.enabled, config.limits.exempt);
    const Foundation base{.config = config,
                          .ledgers = store.ledger,
                          .clock = store.clock,
                          .random = store.random,
                          .keys = store.keys,
                          .tokens = store.tokens,
                          .ids = store.ids,
                          .hasher = store.hasher,
                          .limit_scope = limit_scope,
                          .log = log};
    Catalog catalog(store.ledger.catalog());
    run_to_end(catalog.reload());
    MemoryTier hot(base, catalog);
    PassOffice passes(base, store.folder.path());
    Shop shop(base,
              {.front = front,
               .keeper = keeper,
               .ledger = ledger,
               .hot = hot,
               .passes = passes,
               .catalog = catalog},
              loaded);
    std::string demo_logins;
    if (options.demo && !ledger.loss())
        demo_logins = fill_demo(store, catalog, shop.accounts.registration,
                                shop.shop_front.item_editor, shop.line.editor);

    log.info("server.started", {{"url", front.server.shop_url()},
                                {"office", front.server.office_url()},
                                {"threads", front.threads},
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
