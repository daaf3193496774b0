#pragma once

#include "adapters/mariadb/ledger.hpp"
#include "adapters/system/keys.hpp"
#include "adapters/system/pass_key_file.hpp"
#include "observe/log.hpp"
#include "ports/clock.hpp"

namespace sluice {

/// Throws DataError when this master.key is not the one of the ledger, which is that of the first
/// server or command that ever used the ledger.
void expect_same_master_key(mariadb::Ledger& ledger, const Keys& keys,
                            const std::filesystem::path& folder, const std::string& address);

/// The pass keys of all servers on one ledger. The ledger has them, sealed with a key that is
/// derived from master.key; `pass.keys` in the data folder is this server's copy.
class SharedPassKeys {
  public:
    /// A new key signs only after this time: by then every server has read it.
    static constexpr std::chrono::seconds kLead{3};

    SharedPassKeys(mariadb::Ledger& ledger, const std::filesystem::path& folder, const Keys& keys)
        : ledger_(ledger), file_(folder), key_(keys.pass_keys) {}

    /// At the start: afterwards the ledger's keys are in the file. If the ledger has none, it takes
    /// those of the file, which are made if there are none either.
    void bring(Random& random, Timestamp now);

    /// The step of a worker.
    Task<> look();

    /// Adds a key in the ledger and in the file. With `drop_old` it signs at once.
    PassKey rotate(Random& random, Timestamp now, bool drop_old);

  private:
    std::string seal(const std::string& text) const;
    /// Throws KeyError when it was not sealed with our key, or was changed.
    std::string open(const std::string& sealed) const;
    void take(const std::string& sealed);

    mariadb::Ledger& ledger_;
    PassKeyFile file_;
    const std::array<unsigned char, 32> key_;
};

}  // namespace sluice
