#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "adapters/sql/store_error.hpp"
#include "adapters/sql/stored_enum.hpp"
#include "base/encoding.hpp"
#include "base/timestamp.hpp"
#include "domain/ids.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace sluice::sqlite {

/// SQLite keeps asking this long for a lock that another process holds.
inline constexpr int kBusyTimeoutMs = 5'000;

class Error : public StoreError {
  public:
    Error(int code, const std::string& what) : StoreError(what), code_(code) {}

    int code() const { return code_; }  // extended

    bool is_outage() const override;
    bool is_read_only() const override;

  private:
    int code_;
};

/// A struct with several values, in contrast to the structs that are one.
template <class T>
inline constexpr bool kIsOneValue = false;
template <class Thing>
inline constexpr bool kIsOneValue<Id<Thing>> = true;
template <std::size_t N>
inline constexpr bool kIsOneValue<std::array<unsigned char, N>> = true;
template <class T>
concept RowStruct = std::is_class_v<T> && std::is_aggregate_v<T> && !kIsOneValue<T>;

/// Binds ?1, ?2 and so on, in order; a row binds all of its fields. Texts and blobs are copied, or
/// borrowed until the statement is reset.
class Binder {
  public:
    enum class Keep { copied, borrowed };

    Binder(sqlite3_stmt& handle, Keep keep) : handle_(handle), keep_(keep) {}

    template <class... Values>
    void bind_all(const Values&... values) {
        (bind(values), ...);
    }

    void bind(std::nullopt_t);
    void bind(std::int64_t);
    void bind(std::string_view);
    void bind(Bytes);
    void bind(Timestamp at) { bind(to_millis(at)); }
    template <std::integral Number>
    void bind(Number number) {
        bind(static_cast<std::int64_t>(number));
    }
    template <std::size_t N>
    void bind(const std::array<unsigned char, N>& bytes) {
        bind(Bytes(bytes));
    }
    template <class Thing>
    void bind(Id<Thing> id) {
        bind(id.value);
    }
    template <class Enum>
        requires std::is_enum_v<Enum>
    void bind(Enum value) {
        bind(StoredEnum<Enum>::put(value));
    }
    template <class T>
        requires(!RowStruct<T>)
    void bind(const std::optional<T>& value) {
        if (value)
            bind(*value);
        else
            bind(std::nullopt);
    }
    template <RowStruct Row>
    void bind(const Row& row);  // defined in rows.hpp

  private:
    sqlite3_stmt& handle_;
    Keep keep_;
    int index_ = 0;
};

/// A prepared statement while it is in use. Its end of scope resets it, which is what lets go of
/// the snapshot it read from.
class Statement {
  public:
    template <class... Values>
    explicit Statement(sqlite3_stmt& handle, const Values&... values) : handle_(handle) {
        Binder(handle, Binder::Keep::copied).bind_all(values...);
    }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement();

    /// True while there is a row.
    bool step();

    sqlite3_stmt& handle() const { return handle_; }

  private:
    sqlite3_stmt& handle_;
};

/// The rows that a statement finds, as structs; in rows.hpp.
template <class Row>
class Rows;

/// A statement that is run for many rows: looked up once, and what it is given is borrowed, not
/// copied.
class Repeated {
  public:
    explicit Repeated(sqlite3_stmt& handle) : handle_(handle) {}

    /// Runs to the end; how many rows it touched.
    template <class... Values>
    std::size_t run(const Values&... values) {
        Binder(handle_, Binder::Keep::borrowed).bind_all(values...);
        return finish();
    }

    /// As run(), with every column of the row that `row` has reached.
    std::size_t run_row(const Statement& row);

  private:
    std::size_t finish();

    sqlite3_stmt& handle_;
};

/// One connection; used by one thread at a time. Statements are prepared once and kept.
class Database {
  public:
    /// WAL, synchronous=FULL: what is committed survives a power cut. Throws Error, as every
    /// member does.
    static Database open_writer(const std::filesystem::path& file);

    /// Changes nothing in the file, not even when it turns out not to be ours.
    static Database open_reader(const std::filesystem::path& file);

    /// For writing, as the file and SQLite's defaults have it; what is to be a copy of another
    /// database or, named ":memory:", exists only as long as the connection.
    static Database open_bare(const std::filesystem::path& file);

    // Each of these takes the values of ?1, ?2 and so on. A statement cannot be used again before
    // its first use ended. Those that read need rows.hpp; what a Row can be stands in
    // adapters/sql/row.hpp. They CHECK that the query has as many columns as the row, and throw
    // RowError for a value that contradicts its field.

    /// for (auto& row : database.rows<OrderRow>(sql::list_orders, buyer))
    template <class Row, class... Values>
    Rows<Row> rows(std::string_view sql, const Values&... values);

    /// The first row, if there is one.
    template <class Row, class... Values>
    std::optional<Row> row(std::string_view sql, const Values&... values);

    /// As row(), for a query that always has a row, such as a count.
    template <class Row, class... Values>
    Row value(std::string_view sql, const Values&... values);

    /// Whether the query finds anything.
    template <class... Values>
    bool has_row(std::string_view sql, const Values&... values) {
        return Statement(prepared(sql), values...).step();
    }

    /// For rows whose columns nobody here knows, such as those that are copied.
    template <class... Values>
    Statement query(std::string_view sql, const Values&... values) {
        return Statement(prepared(sql), values...);
    }

    /// Runs to the end; how many rows an INSERT, UPDATE or DELETE touched.
    template <class... Values>
    std::size_t run(std::string_view sql, const Values&... values) {
        return finish(Statement(prepared(sql), values...));
    }

    /// Not to be used in any other way as long as the Repeated is.
    Repeated repeat(std::string_view sql) { return Repeated(prepared(sql)); }

    /// Any number of statements, none of them kept.
    void run_script(std::string_view sql);

    bool in_transaction() const;
    sqlite3* handle() const { return handle_.get(); }

    /// The archive beside this ledger, for those who read; nullptr when there is none.
    Database* archive() const { return archive_.get(); }
    void set_archive(std::unique_ptr<Database> archive) { archive_ = std::move(archive); }

  private:
    struct Close {
        void operator()(sqlite3*) const;
    };
    struct Finalize {
        void operator()(sqlite3_stmt*) const;
    };

    Database(const std::filesystem::path& file, int flags);
    sqlite3_stmt& prepared(std::string_view sql);
    std::size_t finish(Statement&& statement);

    std::unique_ptr<sqlite3, Close> handle_;
    std::map<std::string, std::unique_ptr<sqlite3_stmt, Finalize>, std::less<>> statements_;
    std::unique_ptr<Database> archive_;
};

}  // namespace sluice::sqlite
