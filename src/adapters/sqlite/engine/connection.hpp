#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/encoding.hpp"
#include "base/timestamp.hpp"
#include "domain/ids.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace sluice::sqlite {

/// SQLite keeps asking this long for a lock that another process holds.
inline constexpr int kBusyTimeoutMs = 5'000;

/// What SQLite answered instead of doing it. At the ports it has become an Outage or a refusal;
/// what is neither is a bug and stays as it is.
class Error : public std::runtime_error {
  public:
    Error(int code, const std::string& what) : std::runtime_error(what), code_(code) {}

    int code() const { return code_; }  // extended

    /// The store is away, full, locked or damaged: nothing that our statements did wrong.
    bool is_outage() const;

  private:
    int code_;
};

/// Binds ?1, ?2 and so on, in order. Texts and blobs are copied, or borrowed until the statement
/// is reset.
class Binder {
  public:
    enum class Keep { copied, borrowed };

    Binder(sqlite3_stmt& handle, Keep keep) : handle_(handle), keep_(keep) {}

    template <class... Values>
    void bind_all(const Values&... values) {
        [[maybe_unused]] int index = 0;
        (bind(++index, values), ...);
    }

  private:
    void bind(int index, std::nullopt_t);
    void bind(int index, std::int64_t);
    void bind(int index, std::string_view);
    void bind(int index, Bytes);
    void bind(int index, Timestamp at) { bind(index, to_millis(at)); }
    template <std::integral Number>
    void bind(int index, Number number) {
        bind(index, static_cast<std::int64_t>(number));
    }
    template <class Thing>
    void bind(int index, Id<Thing> id) {
        bind(index, id.value);
    }
    template <class T>
    void bind(int index, const std::optional<T>& value) {
        if (value)
            bind(index, *value);
        else
            bind(index, std::nullopt);
    }

    sqlite3_stmt& handle_;
    Keep keep_;
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

    /// Columns count from 0 and belong to the row that step() reached.
    template <class T>
    T column(int index) const {
        T value{};
        read(index, value);
        return value;
    }

  private:
    bool is_null(int index) const;
    void read_bytes(int index, std::span<unsigned char> out) const;
    void read(int index, std::int64_t& out) const;
    void read(int index, std::string& out) const;
    template <std::size_t N>
    void read(int index, std::array<unsigned char, N>& out) const {
        read_bytes(index, out);
    }
    void read(int index, bool& out) const { out = column<std::int64_t>(index) != 0; }
    void read(int index, Timestamp& out) const { out = from_millis(column<std::int64_t>(index)); }
    template <class Thing>
    void read(int index, Id<Thing>& out) const {
        out.value = column<std::int64_t>(index);
    }
    template <class T>
    void read(int index, std::optional<T>& out) const {
        if (!is_null(index)) out = column<T>(index);
    }

    sqlite3_stmt& handle_;
};

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

    /// The rows are had by step(). A statement cannot be used again before the first use ended.
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
