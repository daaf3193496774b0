#include "adapters/transfer/copier.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <sodium.h>

#include "adapters/sql/rows.hpp"
#include "adapters/sql/store_error.hpp"
#include "adapters/transfer/tables.hpp"
#include "base/check.hpp"

namespace sluice::transfer {
namespace {

using Blob = std::vector<unsigned char>;
using Value = std::variant<std::monostate, std::int64_t, std::string, Blob>;
using RawRow = std::vector<Value>;

/// A statement inserts so many rows, or one. So few texts have to be prepared, and many rows are
/// sent at once.
constexpr std::size_t kRowsOfStatement = 50;
/// If the rows are larger together, they are sent one by one: a server accepts packets of some
/// megabytes.
constexpr std::size_t kBytesOfStatement = 1'000'000;

/// Quoted as both engines accept it; MariaDB needs it for words such as `key`.
std::string quoted(const Side& side, const Column& column) {
    return "\"" + std::string(column.name == kArrival ? side.arrival : column.name) + "\"";
}

std::string name_of(const Side& side, const Table& table) {
    return std::string(side.prefix) + table.name;
}

std::string list_columns(const Side& side, const Table& table) {
    std::string list;
    for (const auto& column : table.columns)
        list.append(list.empty() ? "" : ", ").append(quoted(side, column));
    return list;
}

std::string list_keys(const Side& side, const Table& table, std::string_view direction) {
    std::string list;
    for (const auto key : table.keys)
        list.append(list.empty() ? "" : ", ")
            .append(quoted(side, table.columns[key]))
            .append(direction);
    return list;
}

/// The values are borrowed until the statement's use ends.
sql::Prepared& prepare(const Side& side, std::string_view sql, std::span<const Value> values) {
    auto& prepared = side.prepare(sql);
    int index = 0;
    for (const auto& value : values) {
        ++index;
        if (const auto* number = std::get_if<std::int64_t>(&value))
            prepared.bind(index, *number);
        else if (const auto* text = std::get_if<std::string>(&value))
            prepared.bind(index, std::string_view(*text), sql::Keep::borrowed);
        else if (const auto* blob = std::get_if<Blob>(&value))
            prepared.bind(index, Bytes(*blob), sql::Keep::borrowed);
        else
            prepared.bind(index, std::nullopt);
    }
    return prepared;
}

Value read_value(const sql::Prepared& row, int column, Type type) {
    if (row.is_null(column)) return {};
    switch (type) {
        case Type::number:
            return row.number(column);
        case Type::text:
            return std::string(row.text(column));
        case Type::blob: {
            const auto bytes = row.bytes(column);
            return Blob(bytes.begin(), bytes.end());
        }
    }
    CHECK(false, "every type is named above");
}

RawRow read_row(const sql::Prepared& row, const Table& table) {
    RawRow values;
    values.reserve(table.columns.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        values.push_back(read_value(row, static_cast<int>(i), table.columns[i].type));
    return values;
}

RawRow keys_of(const RawRow& row, const Table& table) {
    RawRow keys;
    for (const auto key : table.keys) keys.push_back(row[key]);
    return keys;
}

/// Reads the rows of one table in the order of its keys, some at a time, each time by the index.
class TableReader {
  public:
    /// Begins after the key `after`, if it is given.
    TableReader(const Side& side, const Table& table, std::optional<RawRow> after)
        : side_(side), table_(table), last_(std::move(after)) {
        const auto select = "SELECT " + list_columns(side, table) + " FROM " + name_of(side, table);
        const auto order = " ORDER BY " + list_keys(side, table, "") + " LIMIT ?";
        first_ = select + order + "1";
        for (std::size_t same = 0; same < table.keys.size(); ++same) {
            auto text = select + " WHERE ";
            for (std::size_t i = 0; i <= same; ++i)
                text.append(i ? " AND " : "")
                    .append(quoted(side, table.columns[table.keys[i]]))
                    .append(i < same ? " = ?" : " > ?")
                    .append(std::to_string(i + 1));
            behind_.push_back(text.append(order).append(std::to_string(same + 2)));
        }
    }

    /// Empty at the end.
    std::vector<RawRow> next() {
        std::vector<RawRow> rows;
        if (!last_) {
            take(first_, {}, rows);
            return rows;
        }
        // After (a, b, c) come those with a, b and a larger c, then those with a and a larger b,
        // then those with a larger a. Neither engine would use an index for all three in one query.
        for (auto same = behind_.size(); same-- > 0 && rows.size() < table_.rows_at_once;) {
            const auto keys = std::span<const Value>(*last_).first(same + 1);
            take(behind_[same], RawRow(keys.begin(), keys.end()), rows);
        }
        return rows;
    }

  private:
    void take(std::string_view sql, RawRow values, std::vector<RawRow>& rows) {
        values.emplace_back(static_cast<std::int64_t>(table_.rows_at_once - rows.size()));
        sql::Statement found(prepare(side_, sql, values));
        while (found.step()) rows.push_back(read_row(found.columns(), table_));
        if (!rows.empty()) last_ = keys_of(rows.back(), table_);
    }

    const Side& side_;
    const Table& table_;
    std::optional<RawRow> last_;
    std::string first_;
    std::vector<std::string> behind_;  // so many keys equal, and a larger one
};

/// The keys of the last row.
std::optional<RawRow> last_of(const Side& side, const Table& table) {
    auto found = side.database.query("SELECT " + list_columns(side, table) + " FROM " +
                                     name_of(side, table) + " ORDER BY " +
                                     list_keys(side, table, " DESC") + " LIMIT 1");
    if (!found.step()) return std::nullopt;
    return keys_of(read_row(found.columns(), table), table);
}

std::string insert_text(const Side& side, const Table& table, std::size_t rows) {
    auto text =
        "INSERT INTO " + name_of(side, table) + " (" + list_columns(side, table) + ") VALUES ";
    std::size_t value = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        text += row ? ", (" : "(";
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            text.append(i ? ", ?" : "?").append(std::to_string(++value));
        text += ")";
    }
    return text;
}

std::size_t size_of(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return text->size();
    if (const auto* blob = std::get_if<Blob>(&value)) return blob->size();
    return sizeof(std::int64_t);
}

/// Writes the rows of one table.
class TableWriter {
  public:
    TableWriter(const Side& side, const Table& table)
        : side_(side),
          one_(insert_text(side, table, 1)),
          many_(insert_text(side, table, kRowsOfStatement)) {}

    void write(std::span<const RawRow> rows) {
        side_.database.run_script("BEGIN");
        while (!rows.empty()) {
            const auto group = rows.first(std::min(kRowsOfStatement, rows.size()));
            write_group(group);
            rows = rows.subspan(group.size());
        }
        side_.database.run_script("COMMIT");
    }

  private:
    void write_group(std::span<const RawRow> group) {
        RawRow values;
        std::size_t bytes = 0;
        for (const auto& row : group)
            for (const auto& value : row) {
                bytes += size_of(value);
                values.push_back(value);
            }
        if (group.size() == kRowsOfStatement && bytes <= kBytesOfStatement) {
            prepare(side_, many_, values).finish();
            return;
        }
        for (const auto& row : group) prepare(side_, one_, row).finish();
    }

    const Side& side_;
    const std::string one_, many_;
};

class Hash {
  public:
    Hash() { crypto_generichash_init(&state_, nullptr, 0, LedgerDigest{}.size()); }

    void add(const void* data, std::size_t size) {
        crypto_generichash_update(&state_, static_cast<const unsigned char*>(data), size);
    }
    void add_number(std::uint64_t number) { add(&number, sizeof number); }
    void add_bytes(const void* data, std::size_t size) {
        add_number(size);
        add(data, size);
    }
    /// With type and length, so that no other values give the same bytes.
    void add(const Value& value) {
        add_number(value.index());
        if (const auto* number = std::get_if<std::int64_t>(&value))
            add_number(static_cast<std::uint64_t>(*number));
        else if (const auto* text = std::get_if<std::string>(&value))
            add_bytes(text->data(), text->size());
        else if (const auto* blob = std::get_if<Blob>(&value))
            add_bytes(blob->data(), blob->size());
    }
    LedgerDigest take() {
        LedgerDigest digest;
        crypto_generichash_final(&state_, digest.data(), digest.size());
        return digest;
    }

  private:
    crypto_generichash_state state_;
};

std::int64_t count_rows(const Side& side, const Table& table) {
    return side.database.value<std::int64_t>("SELECT count(*) FROM " + name_of(side, table));
}

}  // namespace

Side sqlite_side(sqlite::Database& database) {
    const auto prepare = [&](std::string_view sql) -> sql::Prepared& {
        return database.prepared(sql);
    };
    return {database, prepare, "rowid", ""};
}

Side mariadb_side(mariadb::Connection& database) {
    const auto prepare = [&](std::string_view sql) -> sql::Prepared& {
        return database.statement(sql);
    };
    return {database, prepare, kArrival, ""};
}

Side mariadb_archive_side(mariadb::Connection& database) {
    auto side = mariadb_side(database);
    side.prefix = "archived_";
    return side;
}

std::int64_t count_rows(const Side& side, const std::vector<Table>& of) {
    std::int64_t count = 0;
    for (const auto& table : of) count += count_rows(side, table);
    return count;
}

void copy_rows(const Side& from, const Side& to, const Progress& progress,
               const std::vector<Table>& of) {
    const auto all = count_rows(from, of);
    auto done = count_rows(to, of);
    for (const auto& table : of) {
        try {
            TableReader reader(from, table, last_of(to, table));
            TableWriter writer(to, table);
            for (;;) {
                const auto rows = reader.next();
                if (rows.empty()) break;
                writer.write(rows);
                done += static_cast<std::int64_t>(rows.size());
                progress(done, all);
            }
        } catch (const StoreError& error) {
            throw TransferError("cannot copy the rows of " + table.name + ": " + error.what());
        } catch (const RowError& error) {
            throw TransferError("cannot copy the rows of " + table.name + ": " + error.what());
        }
    }
}

LedgerDigest digest_of(const Side& side, const std::vector<Table>& of) {
    Hash hash;
    for (const auto& table : of) {
        hash.add_bytes(table.name.data(), table.name.size());
        TableReader reader(side, table, std::nullopt);
        for (auto rows = reader.next(); !rows.empty(); rows = reader.next())
            for (const auto& row : rows)
                for (const auto& value : row) hash.add(value);
    }
    return hash.take();
}

}  // namespace sluice::transfer
