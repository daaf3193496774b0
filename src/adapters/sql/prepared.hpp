#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/encoding.hpp"

namespace sluice::sql {

/// Whether a statement copies a text or a blob, or borrows it until its use ends.
enum class Keep { copied, borrowed };

/// A statement that an engine has prepared on one connection. Several statements of a connection
/// may be in use at once: a loop over rows runs other statements for each row. Everything but
/// reset() throws what the engine throws: a StoreError. Its columns are those of the row that
/// step() has reached, as described by the concept Columns in row.hpp.
class Prepared {
  public:
    virtual ~Prepared() = default;
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;

    // The values of ?1, ?2 and so on.
    virtual void bind(int index, std::nullopt_t) = 0;
    virtual void bind(int index, std::int64_t number) = 0;
    virtual void bind(int index, std::string_view text, Keep keep) = 0;
    virtual void bind(int index, Bytes bytes, Keep keep) = 0;

    /// True while there is a row. The first call runs the statement.
    virtual bool step() = 0;

    /// Runs it to its end, which ends its use; returns how many rows an INSERT, UPDATE or DELETE
    /// matched. The next use binds every value again.
    virtual std::size_t finish() = 0;

    /// Ends its use and removes all bound values.
    virtual void reset() noexcept = 0;

    /// Between the first step() and the end of its use.
    virtual bool is_busy() const = 0;

    virtual std::string_view sql() const = 0;
    virtual int columns() const = 0;

    virtual bool is_null(int column) const = 0;
    virtual std::int64_t number(int column) const = 0;
    virtual std::string_view text(int column) const = 0;
    virtual Bytes bytes(int column) const = 0;
    virtual std::string describe(int column) const = 0;

  protected:
    Prepared() = default;
};

}  // namespace sluice::sql
