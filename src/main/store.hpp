#pragma once

#include "adapters/sqlite/ledger.hpp"
#include "adapters/system/system_clock.hpp"
#include "adapters/system/system_random.hpp"
#include "base/id_source.hpp"
#include "base/password_hasher.hpp"
#include "config/config.hpp"
#include "main/command_line.hpp"
#include "main/data_folder.hpp"
#include "main/keys.hpp"

namespace sluice {

/// What the server and the commands share: the data folder brought up to date, its keys, and the
/// ledger. Commands work on it while a server runs.
class Store {
  public:
    /// Whether a store that is not there is made. A command that works on what exists must not:
    /// a slip in --data would leave an empty shop behind.
    enum class IfAbsent { make, fail };

    explicit Store(const Config& config, IfAbsent if_absent = IfAbsent::make);

    const DataFolder folder;
    const SystemClock clock;
    SystemRandom random;
    const Keys keys;
    const SessionTokens tokens;
    sqlite::Ledger ledger;
    IdSource ids;
    const CommandLine command_line{clock, ids};
    PasswordHasher hasher;
};

}  // namespace sluice
