#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adapters/mariadb/engine/reader_pool.hpp"
#include "adapters/mariadb/engine/writer_group.hpp"
#include "adapters/sql/ledgers/archive.hpp"
#include "adapters/sql/ledgers/archive_returns.hpp"
#include "adapters/sql/ledgers/ledger_set.hpp"
#include "adapters/sql/news.hpp"

namespace sluice::mariadb {

struct LedgerOptions {
    ServerAddress address;
    std::size_t batch = 512;       // jobs in one transaction
    std::size_t backlog = 8'192;   // jobs waiting, for the writers and for the readers each
    std::size_t writers = 2;       // threads for purchases; one more does all other work
    std::size_t readers = 2;       // threads
    const Clock* clock = nullptr;  // what triggers take for now; nullptr: the server's
};

/// The threads and connections of one database. A class of its own, since the ledgers refer to them
/// and are made after them.
struct ServerEngine {
    explicit ServerEngine(const LedgerOptions& options);

    sql::News news;
    std::vector<std::string> warnings;  // about the server's settings
    WriterGroup writer;
    ReaderPool readers;
    ledgers::ArchiveReturns returns;
};

/// The system of record in one database of a MariaDB server. Other processes and other nodes may
/// use the same database meanwhile.
class Ledger final : private ServerEngine, public ledgers::LedgerSet {
  public:
    /// Throws SchemaError for a database that is not ours or not up to date, SettingsError for a
    /// server whose settings would break a promise, Outage when it cannot be reached.
    explicit Ledger(const LedgerOptions& options);

    /// Recovers by itself half a second after the server does.
    LedgerHealth health() const override { return writer.health(); }
    std::size_t waiting_writes() const { return writer.waiting(); }
    std::uint64_t commits() const { return writer.commits(); }
    std::uint64_t retries() const { return writer.retries(); }
    std::uint64_t reads() const { return readers.reads(); }

    /// What an administrator should change: sentences with the line to write.
    const std::vector<std::string>& settings_warnings() const { return warnings; }

    /// How many sales are archived. They are in the same database, and cannot be away alone.
    Task<ledgers::ArchiveState> archive_state();

    /// By how much the server's clock is ahead of ours.
    Task<std::chrono::milliseconds> clock_difference(const Clock& ours);

    /// How many servers may use the ledger within five minutes, restarts included.
    static constexpr std::int64_t kMostNodes = 512;
    /// A part of ids, from 0 to kMostNodes - 1, that no other server has, or had within the last
    /// five minutes; nullopt when there is none. `process` is a random number of the server.
    Task<std::optional<std::int64_t>> lease_node(std::int64_t process);
    /// To be called once a minute. False: the part has been given to another server.
    Task<bool> renew_node(std::int64_t part, std::int64_t process);

    /// Small texts that all servers share, by name.
    Task<std::optional<std::string>> find_key(std::string name);
    /// The text of this name: the first that was ever offered.
    Task<std::string> keep_key(std::string name, std::string offered);
    /// False, and nothing has happened, when it is not `before` any more.
    Task<bool> replace_key(std::string name, std::string before, std::string after);

  private:
    // At most half a second after the commit.
    void set_external_change_callback(std::function<void()> callback) override {
        writer.on_external_change(std::move(callback));
    }
};

}  // namespace sluice::mariadb
