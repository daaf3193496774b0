#pragma once

#include "adapters/mariadb/ledger.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "adapters/system/keys.hpp"
#include "adapters/system/shop_clock.hpp"
#include "adapters/system/system_random.hpp"
#include "app/password_hasher.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "main/command_line.hpp"
#include "main/data_folder.hpp"

namespace sluice {

/// Whether there is a ledger of the kind and at the place that the configuration names.
bool has_ledger(const Config& config);
/// For commands that work on what is there: throws DataError when there is none.
void expect_ledger(const Config& config);

/// What the server and the commands share: the data folder brought up to date, its keys, and the
/// ledger of the kind that the configuration names. Commands work on it while a server runs, and
/// leave checkpoints to that.
class Store {
  public:
    /// Whether a store that is not there is made. A command that works on what exists must not:
    /// a slip in --data would leave an empty shop behind. `user add` and `user import` may, since
    /// they begin a shop.
    enum class IfAbsent { fail, make };

    /// For a command.
    explicit Store(const Config& config, IfAbsent if_absent = IfAbsent::fail);
    /// For the server, which holds the lock as long as it runs. `trust_clock`: the system's clock
    /// is right, whatever was noted of the shop's time.
    Store(const Config& config, const ServerLock& lock, bool trust_clock);

    const DataFolder folder;
    ShopClock clock;
    SystemRandom random;
    const Keys keys;
    const SessionTokens tokens;

  private:
    const std::unique_ptr<sqlite::Ledger> sqlite_;  // one of the two
    const std::unique_ptr<mariadb::Ledger> mariadb_;

  public:
    Ledgers& ledger;
    IdSource ids;
    const CommandLine command_line{clock, ids};
    PasswordHasher hasher;

    /// Of the kind of the configuration.
    sqlite::Ledger& sqlite();
    mariadb::Ledger& mariadb();
    bool is_mariadb() const { return mariadb_ != nullptr; }

  private:
    using MayCheckpoint = std::function<sqlite::CheckpointPermit()>;
    Store(const Config& config, MayCheckpoint may_checkpoint, bool trust_clock);
};

}  // namespace sluice
