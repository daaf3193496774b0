#pragma once

#include "adapters/mariadb/ledger.hpp"
#include "adapters/sqlite/ledger.hpp"
#include "adapters/system/keys.hpp"
#include "adapters/system/shop_clock.hpp"
#include "adapters/system/system_random.hpp"
#include "app/accounts/password_hasher.hpp"
#include "base/id_source.hpp"
#include "config/config.hpp"
#include "main/command_line.hpp"
#include "main/data_folder.hpp"

namespace sluice {

/// The part of ids that shows who made them: no two processes that make ids at the same time have
/// the same. Servers have the lower half of the 1,024 parts, commands draw one of the upper half.
struct NodePart {
    std::int64_t part = 0;
    std::int64_t process = 0;  // drawn by the server, and stored with its lease
};

/// Whether there is a ledger where the configuration says.
bool has_ledger(const Config& config);
/// For commands that need existing data: throws DataError when there is none.
void expect_ledger(const Config& config);

/// What the server and the commands share: the migrated ledger of the configured kind, its data
/// folder, and its keys. Commands work on it while a server runs, and leave checkpoints to the
/// server.
class Store {
  public:
    /// Whether a store that does not exist is made. A command that works on existing data must not
    /// make one: a mistake in --data would leave an empty shop behind. `user add` and `user import`
    /// may, since they begin a shop.
    enum class IfAbsent { fail, make };

    /// For a command.
    explicit Store(const Config& config, IfAbsent if_absent = IfAbsent::fail);
    /// For the server, which holds the lock as long as it runs. `trust_clock`: the system's clock
    /// is right, whatever the note of the shop's time says.
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
    /// This server's part of ids. On MariaDB it is leased, and has to be renewed.
    const NodePart node;
    IdSource ids;
    const CommandLine command_line{clock, ids};
    PasswordHasher hasher;

    /// The ledger, if it is of this kind.
    sqlite::Ledger& sqlite();
    mariadb::Ledger& mariadb();
    bool is_mariadb() const { return mariadb_ != nullptr; }

  private:
    using MayCheckpoint = std::function<sqlite::CheckpointPermit()>;
    enum class For { command, server };
    Store(const Config& config, MayCheckpoint may_checkpoint, For whom, bool trust_clock);
    NodePart draw_node_part(const Config& config, For whom);
};

}  // namespace sluice
