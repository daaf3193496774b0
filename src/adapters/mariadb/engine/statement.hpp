#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <mysql.h>

#include "adapters/mariadb/engine/dialect.hpp"
#include "adapters/sql/database.hpp"
#include "adapters/sql/prepared.hpp"

namespace sluice::mariadb {

/// A prepared statement of one connection, which outlives it. All of its rows are fetched when it
/// is run, so that other statements may run on the same connection while they are read.
class PreparedStatement final : public sql::Prepared {
  public:
    /// `sql` is the ledgers' text, `dialect` the text that is sent. `lost` is set when an error
    /// shows that the connection is lost.
    PreparedStatement(MYSQL& connection, bool& lost, std::string_view sql,
                      std::string_view dialect);

    void bind(int index, std::nullopt_t) override;
    void bind(int index, std::int64_t number) override;
    void bind(int index, std::string_view text, sql::Keep keep) override;
    void bind(int index, Bytes bytes, sql::Keep keep) override;

    bool step() override;
    std::size_t finish() override;
    void reset() noexcept override;
    bool is_busy() const override { return busy_; }

    std::string_view sql() const override { return sql_; }
    int columns() const override { return static_cast<int>(columns_.size()); }

    bool is_null(int column) const override;
    std::int64_t number(int column) const override;
    std::string_view text(int column) const override;
    Bytes bytes(int column) const override;
    std::string describe(int column) const override;

    /// The value of the column in this row, for rows with unknown columns.
    enum class Type { null, number, text, bytes };
    Type type(int column) const;

    // For many rows in one step: keep_row() for each, then run_rows().

    /// Takes the values of ?1, ?2 and so on.
    template <class... Values>
    void keep_row(const Values&... values) {
        sql::Binder(*this, sql::Keep::borrowed).bind_all(values...);
        keep_bound();
    }
    /// Sends the kept rows in one packet; returns how many rows of the table they touched.
    std::size_t run_rows();
    /// Drops the kept rows: those of a caller that failed before run_rows().
    void forget_rows() { kept_.clear(); }

  private:
    struct Value {
        Type type = Type::null;
        std::int64_t number = 0;
        std::string copy;
        std::string_view text;
    };
    struct Column {
        Type type = Type::text;
        std::string name;
        std::int64_t number = 0;
        std::vector<char> buffer;
        unsigned long length = 0;
        my_bool is_null = 0;
    };
    struct Close {
        void operator()(MYSQL_STMT* handle) const { mysql_stmt_close(handle); }
    };

    [[noreturn]] void fail() const;
    void keep_bound();
    void send_rows(std::size_t count, MYSQL_BIND* binds);
    void read_columns();
    void execute();
    /// False when the row exists already, and the statement lets it stay.
    bool send();
    void fetch_all();
    void put(int index, Type type, std::string_view text, sql::Keep keep);
    const Column& expect(int column, Type type) const;

    bool& lost_;
    const std::string sql_;
    const Translated translated_;
    std::unique_ptr<MYSQL_STMT, Close> handle_;
    std::vector<Value> values_;
    std::vector<std::vector<Value>> kept_;
    std::vector<Column> columns_;
    bool busy_ = false;
    bool touched_nothing_ = false;
};

}  // namespace sluice::mariadb
