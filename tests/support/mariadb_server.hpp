#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "adapters/mariadb/engine/connection.hpp"

namespace sluice::testing_support {

/// A private MariaDB in a temporary folder, reached by a socket there. It ends with this object, or
/// with the thread that started it, however that ends.
class MariadbServer {
  public:
    explicit MariadbServer(std::vector<std::string> options = {});
    ~MariadbServer();
    MariadbServer(const MariadbServer&) = delete;
    MariadbServer& operator=(const MariadbServer&) = delete;

    /// Returns when it answers; `options` besides those of the constructor.
    void start(const std::vector<std::string>& options = {});
    /// As a crash does.
    void kill();
    /// It answers nothing from here, and its connections stay open, until thaw().
    void freeze();
    void thaw();
    bool is_running() const { return process_ > 0; }

    mariadb::ServerAddress address(std::string database) const;
    /// As an administrator, without a database.
    void run(std::string_view statements) const;

  private:
    void signal(int number) const;

    const std::filesystem::path folder_;
    const std::vector<std::string> options_;
    pid_t process_ = 0;
};

/// The server for tests that do not harm it; started by the first that asks for it.
MariadbServer& shared_mariadb();

/// A migrated, empty database of the shared server. At its end it is emptied for the next test,
/// which is quicker than a new one.
class MariadbDatabase {
  public:
    MariadbDatabase();
    ~MariadbDatabase();
    MariadbDatabase(const MariadbDatabase&) = delete;
    MariadbDatabase& operator=(const MariadbDatabase&) = delete;

    mariadb::ServerAddress address() const { return shared_mariadb().address(name_); }

  private:
    std::string name_;
};

}  // namespace sluice::testing_support
