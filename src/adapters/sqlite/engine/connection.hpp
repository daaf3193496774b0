#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/sql/database.hpp"
#include "adapters/sql/store_error.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace sluice::sqlite {

/// How long SQLite tries to get a lock that another process holds.
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

/// A statement of one connection.
class Prepared final : public sql::Prepared {
  public:
    /// Prepares the statement, which will be kept.
    Prepared(sqlite3& database, std::string_view sql);

    void bind(int index, std::nullopt_t) override;
    void bind(int index, std::int64_t number) override;
    void bind(int index, std::string_view text, sql::Keep keep) override;
    void bind(int index, Bytes bytes, sql::Keep keep) override;

    bool step() override;
    std::size_t finish() override;
    void reset() noexcept override;
    bool is_busy() const override;

    std::string_view sql() const override;
    int columns() const override;
    bool is_null(int column) const override;
    std::int64_t number(int column) const override;
    std::string_view text(int column) const override;
    Bytes bytes(int column) const override;
    std::string describe(int column) const override;

    /// Binds all columns of the row that `row` has reached, as ?1 and so on.
    void bind_row(const Prepared& row);

    sqlite3_stmt& handle() const { return *handle_; }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt*) const;
    };

    void expect_bound(int code);
    void expect_type(int column, int type) const;
    Bytes read_bytes(int column) const;

    std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// One connection to a file.
class Database final : public sql::Database {
  public:
    /// WAL, synchronous=FULL: what is committed survives a power cut. Throws Error, as every
    /// member does.
    static Database open_writer(const std::filesystem::path& file);

    /// Changes nothing in the file, even if it turns out that it is not ours.
    static Database open_reader(const std::filesystem::path& file);

    /// For writing, with the settings of the file and SQLite's defaults; for a file that becomes a
    /// copy of another database or, named ":memory:", one that exists only as long as the
    /// connection.
    static Database open_bare(const std::filesystem::path& file);

    void run_script(std::string_view sql) override;
    bool in_transaction() const override;
    Database* archive() override;
    std::string archive_name() const override;
    bool look_again() override;

    /// Public for what only SQLite can do with a statement.
    Prepared& prepared(std::string_view sql) override;

    sqlite3* handle() const { return handle_.get(); }

    /// The result of archive(), as long as the archive's file is the same.
    void set_archive(std::unique_ptr<Database> archive) { archive_ = std::move(archive); }

  private:
    struct Close {
        void operator()(sqlite3*) const;
    };

    Database(const std::filesystem::path& file, int flags);

    std::unique_ptr<sqlite3, Close> handle_;
    std::map<std::string, Prepared, std::less<>> statements_;
    std::unique_ptr<Database> archive_;
};

}  // namespace sluice::sqlite
