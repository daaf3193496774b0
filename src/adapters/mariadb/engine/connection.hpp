#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/mariadb/engine/error.hpp"
#include "adapters/mariadb/engine/statement.hpp"
#include "adapters/sql/database.hpp"

namespace sluice::mariadb {

enum class Tls {
    off,      // for a server on this machine
    on,       // or no connection; the server is not verified
    checked,  // and the server's certificate has its name and is signed by the authority
};

/// Where the server is, and our log-in.
struct ServerAddress {
    std::string host;
    unsigned port = 3306;
    std::string socket;  // instead of host and port
    std::string database;
    std::string user;
    std::string password;
    Tls tls = Tls::off;
    std::string tls_ca;    // file with the authority's certificate
    std::string tls_cert;  // our own, where the server wants one
    std::string tls_key;

    std::string text() const;  // for messages: without the password
};

/// Time limits. A hand-off is told of a silent server within OrderIntake::kLongestWait, even if it
/// waits behind another one that was told so, and then finds that a new connection gets no answer
/// either.
struct Patience {
    std::chrono::seconds connect{2};
    std::chrono::seconds answer{3};  // to one statement
    std::chrono::seconds lock{2};    // until another transaction releases it
    /// The server ends a transaction of ours that is idle for this long, so that a node that hangs
    /// does not keep its locks.
    std::chrono::seconds idle{10};
};

/// For work without a waiting buyer: migrations, the audit.
inline constexpr Patience kLongPatience{.connect = std::chrono::seconds{5},
                                        .answer = std::chrono::seconds{3'600},
                                        .lock = std::chrono::seconds{50},
                                        .idle = std::chrono::seconds{3'600}};

/// One connection, used by one thread. It is opened by connect() and has to be opened again after
/// an Error that is_lost(); its statements are then prepared anew.
class Connection final : public sql::Database {
  public:
    explicit Connection(ServerAddress address, Patience patience = {});
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override;

    /// Throws Error. Nothing from the former connection may be in use.
    void connect();
    void disconnect();
    /// connect() has succeeded, and no call since has found the connection lost.
    bool is_open() const { return handle_ && !lost_; }

    void run_script(std::string_view sql) override;
    bool in_transaction() const override;
    /// Always there. It reads in the transaction of this connection, as of the same instant.
    sql::Database* archive() override { return &archive_; }
    std::string archive_name() const override { return "the archive"; }
    bool look_again() override;

    /// For rows that are sent together: see keep_row() and run_rows() of the statement.
    PreparedStatement& statement(std::string_view sql);

    /// The same over the archive's tables: see over_archive().
    PreparedStatement& archived_statement(std::string_view sql, ArchivedRows rows);

    /// How a read begins: as of one instant, without writing.
    void begin_snapshot();

    /// How a write begins: the isolation, and the first statements of the transaction, separated by
    /// semicolons, all in one packet. `now` is the time that triggers use; without it they ask the
    /// server.
    void begin(std::string_view isolation, std::optional<std::int64_t> now_ms,
               std::string_view first);
    /// Does nothing without a transaction, or when the connection is lost, and with it the
    /// transaction.
    void roll_back() noexcept;

    std::int64_t id() const;

  protected:
    sql::Prepared& prepared(std::string_view sql) override { return statement(sql); }

  private:
    /// Replaces the ledger's tables by the archive's, for readers.
    class Archive final : public sql::Database {
      public:
        explicit Archive(Connection& connection) : connection_(connection) {}

        void run_script(std::string_view sql) override { connection_.run_script(sql); }
        bool in_transaction() const override { return connection_.in_transaction(); }
        sql::Database* archive() override { return nullptr; }
        std::string archive_name() const override { return connection_.archive_name(); }
        bool look_again() override { return connection_.look_again(); }

      protected:
        sql::Prepared& prepared(std::string_view sql) override {
            return connection_.archived_statement(sql, ArchivedRows::valid);
        }

      private:
        Connection& connection_;
    };

    struct Close {
        void operator()(MYSQL* handle) const { mysql_close(handle); }
    };
    PreparedStatement& prepare(std::string_view sql, std::string_view dialect);
    [[noreturn]] void fail(std::string_view doing);
    void set_options(MYSQL& handle) const;
    void expect_encryption();

    ServerAddress address_;
    Patience patience_;
    std::unique_ptr<MYSQL, Close> handle_;
    std::map<std::string, std::unique_ptr<PreparedStatement>, std::less<>> statements_;
    bool lost_ = false;
    enum class Mode { alone, reads, writes };  // how the transaction was begun
    Mode mode_ = Mode::alone;
    Archive archive_{*this};
};

}  // namespace sluice::mariadb
