#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "adapters/sql/prepared.hpp"
#include "adapters/sql/stored_enum.hpp"
#include "base/encoding.hpp"
#include "base/timestamp.hpp"
#include "domain/ids.hpp"

namespace sluice::sql {

/// A struct that holds several values, in contrast to structs that are one value.
template <class T>
inline constexpr bool kIsOneValue = false;
template <class Thing>
inline constexpr bool kIsOneValue<Id<Thing>> = true;
template <std::size_t N>
inline constexpr bool kIsOneValue<std::array<unsigned char, N>> = true;
template <class T>
concept RowStruct = std::is_class_v<T> && std::is_aggregate_v<T> && !kIsOneValue<T>;

/// Binds ?1, ?2 and so on, in order; a row binds all of its fields.
class Binder {
  public:
    Binder(Prepared& prepared, Keep keep) : prepared_(prepared), keep_(keep) {}

    template <class... Values>
    void bind_all(const Values&... values) {
        (bind(values), ...);
    }

    void bind(std::nullopt_t) { prepared_.bind(++index_, std::nullopt); }
    void bind(std::int64_t number) { prepared_.bind(++index_, number); }
    void bind(std::string_view text) { prepared_.bind(++index_, text, keep_); }
    void bind(Bytes bytes) { prepared_.bind(++index_, bytes, keep_); }
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
    Prepared& prepared_;
    Keep keep_;
    int index_ = 0;
};

/// A prepared statement while it is in use. At the end of its scope it is reset, which releases the
/// snapshot that it has read from.
class Statement {
  public:
    template <class... Values>
    explicit Statement(Prepared& prepared, const Values&... values) : prepared_(prepared) {
        Binder(prepared, Keep::copied).bind_all(values...);
    }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement() { prepared_.reset(); }

    /// True while there is a row.
    bool step() { return prepared_.step(); }

    /// As Prepared::finish().
    std::size_t finish() { return prepared_.finish(); }

    const Prepared& columns() const { return prepared_; }

  private:
    Prepared& prepared_;
};

/// The rows that a statement finds, as structs; in rows.hpp.
template <class Row>
class Rows;

/// A statement that is run for many rows: looked up once, and its values are borrowed, not copied.
class Repeated {
  public:
    explicit Repeated(Prepared& prepared) : prepared_(prepared) {}

    /// Runs to the end; returns how many rows it touched.
    template <class... Values>
    std::size_t run(const Values&... values) {
        Binder(prepared_, Keep::borrowed).bind_all(values...);
        return prepared_.finish();
    }

  private:
    Prepared& prepared_;
};

/// One connection to a ledger, of any engine; used by one thread at a time. Statements are prepared
/// once and kept. Every member throws StoreError when the engine fails.
class Database {
  public:
    virtual ~Database() = default;

    // Each of these takes the values of ?1, ?2 and so on. A statement cannot be used again before
    // its first use has ended. The calls that read need rows.hpp; what a Row can be is described in
    // row.hpp. They CHECK that the query has as many columns as the row, and throw RowError for a
    // value that contradicts its field.

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
        return Statement(ready(sql), values...).step();
    }

    /// For rows with unknown columns.
    template <class... Values>
    Statement query(std::string_view sql, const Values&... values) {
        return Statement(ready(sql), values...);
    }

    /// Runs to the end; returns how many rows an INSERT, UPDATE or DELETE touched.
    template <class... Values>
    std::size_t run(std::string_view sql, const Values&... values) {
        return Statement(ready(sql), values...).finish();
    }

    /// The statement must not be used in any other way while the Repeated exists.
    Repeated repeat(std::string_view sql) { return Repeated(ready(sql)); }

    /// Runs any number of statements, without keeping them.
    virtual void run_script(std::string_view sql) = 0;

    virtual bool in_transaction() const = 0;

    // Archived sales are read through a connection of its own, beside this one.

    /// The archive for reading, limited to the sales that this ledger calls archived; nullptr when
    /// there is none. It belongs to this connection. Throws ArchiveAway (archive_away.hpp) when it
    /// cannot be read.
    virtual Database* archive() = 0;

    /// The archive's name for messages, whether it exists or not.
    virtual std::string archive_name() const = 0;

    /// Lets the reads of this transaction go on from a newer instant. False in a transaction that
    /// writes, where this is not possible.
    virtual bool look_again() = 0;

  protected:
    Database() = default;
    Database(Database&&) = default;
    Database& operator=(Database&&) = default;

    /// The statement, prepared now or earlier. The text is the key: an engine whose dialect differs
    /// may prepare another text for it.
    virtual Prepared& prepared(std::string_view sql) = 0;

  private:
    /// CHECKs that it is not in use.
    Prepared& ready(std::string_view sql);
};

}  // namespace sluice::sql
