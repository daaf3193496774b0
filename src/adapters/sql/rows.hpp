#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "adapters/sql/database.hpp"
#include "adapters/sql/row.hpp"
#include "base/check.hpp"

namespace sluice::sql {

/// CHECKs that the statement has so many columns.
void expect_columns(const Prepared& prepared, int count);

/// The rows are read one after the other, and only once. Each row replaces the one before; move
/// from it to keep it.
template <class Row>
class Rows {
  public:
    template <class... Values>
    explicit Rows(Prepared& prepared, const Values&... values) : statement_(prepared, values...) {
        expect_columns(prepared, kColumnsOf<Row>);
    }

    /// nullptr at the end.
    Row* next() {
        if (!statement_.step()) return nullptr;
        read_row(statement_.columns(), row_);
        return &row_;
    }

    class Iterator {
      public:
        using value_type = Row;
        using difference_type = std::ptrdiff_t;

        explicit Iterator(Rows& rows) : rows_(&rows), row_(rows.next()) {}

        Row& operator*() const { return *row_; }
        Iterator& operator++() {
            row_ = rows_->next();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const Iterator& at, std::default_sentinel_t) { return !at.row_; }

      private:
        Rows* rows_;
        Row* row_;
    };
    Iterator begin() { return Iterator(*this); }
    std::default_sentinel_t end() const { return {}; }

    /// All of them, each made by `make(row)`.
    template <class Make>
    auto to_vector(Make make) {
        std::vector<std::remove_cvref_t<std::invoke_result_t<Make, Row>>> all;
        while (auto* row = next()) all.push_back(make(std::move(*row)));
        return all;
    }
    std::vector<Row> to_vector() {
        std::vector<Row> all;
        while (auto* row = next()) all.push_back(std::move(*row));
        return all;
    }

  private:
    Statement statement_;
    Row row_{};
};

template <class Row, class... Values>
Rows<Row> Database::rows(std::string_view sql, const Values&... values) {
    return Rows<Row>(ready(sql), values...);
}

template <class Row, class... Values>
std::optional<Row> Database::row(std::string_view sql, const Values&... values) {
    Rows<Row> rows(ready(sql), values...);
    auto* row = rows.next();
    if (!row) return std::nullopt;
    return std::move(*row);
}

template <class Row, class... Values>
Row Database::value(std::string_view sql, const Values&... values) {
    Rows<Row> rows(ready(sql), values...);
    auto* row = rows.next();
    CHECK(row, "a query for a value has a row");
    return std::move(*row);
}

template <RowStruct Row>
void Binder::bind(const Row& row) {
    auto each = [this](const auto& value) { bind(value); };
    for_each_value(row, each);
}

}  // namespace sluice::sql
