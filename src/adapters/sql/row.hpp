#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/pfr/core.hpp>
#include <boost/pfr/tuple_size.hpp>

#include "adapters/sql/stored_enums.hpp"
#include "base/encoding.hpp"
#include "base/timestamp.hpp"
#include "domain/ids.hpp"

namespace sluice {

// A row is a plain struct whose fields stand in the order of the columns of the query that it is
// read with, or a tuple of such fields, or a single field. A field is one of these:
//
//   std::int64_t, std::size_t, bool   a number
//   Timestamp                         a number, milliseconds since 1970
//   Id                                a number
//   std::string                       a text
//   std::array<unsigned char, N>      a blob of N bytes
//   Blob                              a blob of any length
//   an enum                           as stored_enums.hpp has it
//   std::optional of these            or NULL
//   another row                       its fields, in their order
//   std::optional of another row      its fields, or NULL in all of them, as in an outer join
//
// Nothing is converted: a text is never read as a number, and NULL is never read as 0.

/// Bytes of any number.
using Blob = std::vector<unsigned char>;

/// A value contradicts the field into which it is read.
class RowError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// The columns of one row of some store, from 0 on. Results of text() and bytes() are valid until
/// the store is asked for the next row. number(), text() and bytes() throw RowError for a value of
/// another type, NULL included; describe() names a column in an error.
template <class T>
concept Columns = requires(const T columns, int index) {
    { columns.is_null(index) } -> std::same_as<bool>;
    { columns.number(index) } -> std::same_as<std::int64_t>;
    { columns.text(index) } -> std::same_as<std::string_view>;
    { columns.bytes(index) } -> std::same_as<Bytes>;
    { columns.describe(index) } -> std::same_as<std::string>;
};

namespace row_detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct IsTuple : std::false_type {};
template <class... Ts>
struct IsTuple<std::tuple<Ts...>> : std::true_type {};

template <class T>
struct IsId : std::false_type {};
template <class Thing>
struct IsId<Id<Thing>> : std::true_type {};

template <class T>
struct IsBlob : std::false_type {};
template <std::size_t N>
struct IsBlob<std::array<unsigned char, N>> : std::true_type {};

/// What one column that is not NULL holds.
template <class T>
inline constexpr bool kIsValue =
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::size_t> || std::is_same_v<T, bool> ||
    std::is_same_v<T, Timestamp> || std::is_same_v<T, std::string> || std::is_same_v<T, Blob> ||
    std::is_enum_v<T> || IsId<T>::value || IsBlob<T>::value;

/// Calls `use` with each field of a struct or a tuple.
template <class Row, class Use>
void for_each_field(Row&& row, Use use) {
    if constexpr (IsTuple<std::remove_cvref_t<Row>>::value)
        std::apply([&](auto&... fields) { (use(fields), ...); }, row);
    else
        boost::pfr::for_each_field(row, use);
}

template <class Row>
constexpr int count_columns() {
    if constexpr (kIsValue<Row>)
        return 1;
    else if constexpr (IsOptional<Row>::value)
        return count_columns<typename Row::value_type>();
    else if constexpr (IsTuple<Row>::value)
        return []<class... Fields>(std::type_identity<std::tuple<Fields...>>) {
            return (count_columns<Fields>() + ... + 0);
        }(std::type_identity<Row>{});
    else
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (count_columns<boost::pfr::tuple_element_t<I, Row>>() + ... + 0);
        }(std::make_index_sequence<boost::pfr::tuple_size_v<Row>>{});
}

template <Columns Source>
class Reader {
  public:
    explicit Reader(const Source& columns) : columns_(columns) {}

    template <class Field>
    void read(Field& field) {
        if constexpr (kIsValue<Field>)
            read_value(next_++, field);
        else if constexpr (IsOptional<Field>::value)
            read_optional(field);
        else
            for_each_field(field, [this](auto& each) { read(each); });
    }

  private:
    template <class T>
    void read_optional(std::optional<T>& field) {
        constexpr int count = count_columns<T>();
        int empty = 0;
        while (empty < count && columns_.is_null(next_ + empty)) ++empty;
        if (empty < count) return read(field ? *field : field.emplace());
        field.reset();
        next_ += count;
    }

    void read_value(int index, std::int64_t& field) { field = columns_.number(index); }
    void read_value(int index, std::size_t& field) {
        const auto number = columns_.number(index);
        if (number < 0) fail(index, "a negative number where a count is expected");
        field = static_cast<std::size_t>(number);
    }
    void read_value(int index, bool& field) { field = columns_.number(index) != 0; }
    void read_value(int index, Timestamp& field) { field = from_millis(columns_.number(index)); }
    void read_value(int index, std::string& field) { field = columns_.text(index); }
    template <class Thing>
    void read_value(int index, Id<Thing>& field) {
        field.value = columns_.number(index);
    }
    template <std::size_t N>
    void read_value(int index, std::array<unsigned char, N>& field) {
        const Bytes bytes = columns_.bytes(index);
        if (bytes.size() != N) fail(index, "a blob of another length than is expected");
        std::memcpy(field.data(), bytes.data(), N);
    }
    void read_value(int index, Blob& field) {
        const Bytes bytes = columns_.bytes(index);
        field.assign(bytes.begin(), bytes.end());
    }
    template <class Enum>
        requires std::is_enum_v<Enum>
    void read_value(int index, Enum& field) {
        using Stored = StoredEnum<Enum>;
        std::optional<Enum> value;
        if constexpr (std::is_same_v<decltype(Stored::put(Enum{})), std::int64_t>)
            value = Stored::take(columns_.number(index));
        else
            value = Stored::take(columns_.text(index));
        if (!value) fail(index, "a value that is none of those known");
        field = *value;
    }

    [[noreturn]] void fail(int index, const char* found) const {
        throw RowError(columns_.describe(index) + ": " + found);
    }

    const Source& columns_;
    int next_ = 0;
};

}  // namespace row_detail

/// How many columns a query needs whose rows are read as `Row`.
template <class Row>
inline constexpr int kColumnsOf = row_detail::count_columns<Row>();

/// Overwrites every field. After a RowError only a part of the row was read.
template <Columns Source, class Row>
void read_row(const Source& columns, Row& row) {
    row_detail::Reader<Source>(columns).read(row);
}

/// Calls `use` with each value of a row, in the order of its columns: the value of one column, or
/// an optional of that.
template <class Row, class Use>
void for_each_value(const Row& row, Use& use) {
    using Plain = std::remove_cvref_t<Row>;
    if constexpr (row_detail::kIsValue<Plain>) {
        use(row);
    } else if constexpr (row_detail::IsOptional<Plain>::value) {
        using Part = typename Plain::value_type;
        if constexpr (row_detail::kIsValue<Part>) {
            use(row);
        } else if (row) {
            for_each_value(*row, use);
        } else {
            for (int i = 0; i < kColumnsOf<Part>; ++i) use(std::nullopt);
        }
    } else {
        row_detail::for_each_field(row, [&](const auto& each) { for_each_value(each, use); });
    }
}

}  // namespace sluice
