#include "adapters/mariadb/engine/statement.hpp"

#include <algorithm>

#include "adapters/mariadb/engine/error.hpp"
#include "adapters/sql/row.hpp"
#include "base/check.hpp"
#include "base/names.hpp"

namespace sluice::mariadb {
namespace {

constexpr unsigned kBinaryCharset = 63;
constexpr std::size_t kShown = 80;  // characters of a statement in an error

bool is_integer(const MYSQL_FIELD& field) {
    static constexpr enum_field_types kWhole[] = {
        MYSQL_TYPE_TINY, MYSQL_TYPE_SHORT, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONGLONG};
    if (std::ranges::find(kWhole, field.type) != std::end(kWhole)) return true;
    // The type of a sum of whole numbers.
    return field.type == MYSQL_TYPE_NEWDECIMAL && field.decimals == 0;
}

/// The values of each row, for a statement that is sent with many rows.
struct BulkColumn {
    std::vector<std::int64_t> numbers;
    std::vector<char*> texts;
    std::vector<unsigned long> lengths;
    std::vector<char> indicators;
};

}  // namespace

PreparedStatement::PreparedStatement(MYSQL& connection, bool& lost, std::string_view sql,
                                     std::string_view dialect)
    : lost_(lost),
      sql_(sql),
      translated_(translate(dialect)),
      handle_(mysql_stmt_init(&connection)) {
    CHECK(handle_, "there is memory for a statement");
    const auto& text = translated_.text;
    if (mysql_stmt_prepare(handle_.get(), text.data(), text.size()) != 0) fail();
    const my_bool measure = 1;
    mysql_stmt_attr_set(handle_.get(), STMT_ATTR_UPDATE_MAX_LENGTH, &measure);
    CHECK(mysql_stmt_param_count(handle_.get()) == translated_.parameters.size(),
          "each value of a statement is found in its text");
    values_.resize(static_cast<std::size_t>(translated_.values));
    read_columns();
}

void PreparedStatement::fail() const {
    const Error error(mysql_stmt_errno(handle_.get()), std::string("MariaDB: ") +
                                                           mysql_stmt_error(handle_.get()) +
                                                           " in " + sql_.substr(0, kShown));
    if (error.is_lost()) lost_ = true;
    throw error;
}

void PreparedStatement::read_columns() {
    const std::unique_ptr<MYSQL_RES, decltype(&mysql_free_result)> metadata(
        mysql_stmt_result_metadata(handle_.get()), &mysql_free_result);
    if (!metadata) return;
    columns_.resize(mysql_num_fields(metadata.get()));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto& field = *mysql_fetch_field_direct(metadata.get(), static_cast<unsigned>(i));
        columns_[i].name = field.name;
        if (is_integer(field))
            columns_[i].type = Type::number;
        else
            columns_[i].type = field.charsetnr == kBinaryCharset ? Type::bytes : Type::text;
    }
}

void PreparedStatement::put(int index, Type type, std::string_view text, sql::Keep keep) {
    CHECK(index >= 1 && index <= translated_.values, "a value has a place in its statement");
    auto& value = values_[static_cast<std::size_t>(index - 1)];
    value.type = type;
    if (keep == sql::Keep::copied) {
        value.copy = text;
        text = value.copy;
    }
    value.text = text;
}

void PreparedStatement::bind(int index, std::nullopt_t) {
    put(index, Type::null, {}, sql::Keep::borrowed);
}

void PreparedStatement::bind(int index, std::int64_t number) {
    put(index, Type::number, {}, sql::Keep::borrowed);
    values_[static_cast<std::size_t>(index - 1)].number = number;
}

void PreparedStatement::bind(int index, std::string_view text, sql::Keep keep) {
    put(index, Type::text, text, keep);
}

void PreparedStatement::bind(int index, Bytes bytes, sql::Keep keep) {
    put(index, Type::bytes, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, keep);
}

bool PreparedStatement::send() {
    if (mysql_stmt_execute(handle_.get()) == 0) return true;
    const Error error(mysql_stmt_errno(handle_.get()), "");
    if (translated_.where_absent && error.is_duplicate()) return false;
    fail();
}

void PreparedStatement::execute() {
    std::vector<MYSQL_BIND> binds(translated_.parameters.size());
    for (std::size_t i = 0; i < binds.size(); ++i) {
        auto& value = values_[static_cast<std::size_t>(translated_.parameters[i] - 1)];
        auto& bind = binds[i];
        switch (value.type) {
            case Type::null:
                bind.buffer_type = MYSQL_TYPE_NULL;
                break;
            case Type::number:
                bind.buffer_type = MYSQL_TYPE_LONGLONG;
                bind.buffer = &value.number;
                break;
            case Type::text:
            case Type::bytes:
                bind.buffer_type = value.type == Type::text ? MYSQL_TYPE_STRING : MYSQL_TYPE_BLOB;
                // A null pointer would be taken for NULL.
                bind.buffer = const_cast<char*>(value.text.data() ? value.text.data() : "");
                bind.buffer_length = value.text.size();
                bind.length_value = value.text.size();
                bind.length = &bind.length_value;
                break;
        }
    }
    if (!binds.empty() && mysql_stmt_bind_param(handle_.get(), binds.data()) != 0) fail();
    busy_ = true;
    touched_nothing_ = !send();
    if (!columns_.empty()) fetch_all();
}

void PreparedStatement::fetch_all() {
    if (mysql_stmt_store_result(handle_.get()) != 0) fail();
    const std::unique_ptr<MYSQL_RES, decltype(&mysql_free_result)> metadata(
        mysql_stmt_result_metadata(handle_.get()), &mysql_free_result);
    std::vector<MYSQL_BIND> binds(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        auto& column = columns_[i];
        auto& bind = binds[i];
        bind.is_null = &column.is_null;
        bind.length = &column.length;
        if (column.type == Type::number) {
            bind.buffer_type = MYSQL_TYPE_LONGLONG;
            bind.buffer = &column.number;
            continue;
        }
        const auto& field = *mysql_fetch_field_direct(metadata.get(), static_cast<unsigned>(i));
        column.buffer.resize(std::max<std::size_t>(field.max_length, 1));
        bind.buffer_type = column.type == Type::text ? MYSQL_TYPE_STRING : MYSQL_TYPE_BLOB;
        bind.buffer = column.buffer.data();
        bind.buffer_length = column.buffer.size();
    }
    if (mysql_stmt_bind_result(handle_.get(), binds.data()) != 0) fail();
}

bool PreparedStatement::step() {
    if (!busy_) execute();
    if (columns_.empty()) return false;
    const int code = mysql_stmt_fetch(handle_.get());
    if (code == MYSQL_DATA_TRUNCATED) throw RowError("a number that is too large in " + sql_);
    if (code != 0 && code != MYSQL_NO_DATA) fail();
    return code == 0;
}

std::size_t PreparedStatement::finish() {
    try {
        if (!busy_) execute();
        const auto touched =
            touched_nothing_ || !columns_.empty() ? 0 : mysql_stmt_affected_rows(handle_.get());
        reset();
        return static_cast<std::size_t>(touched);
    } catch (...) {
        reset();
        throw;
    }
}

void PreparedStatement::reset() noexcept {
    if (busy_ && !columns_.empty()) mysql_stmt_free_result(handle_.get());
    busy_ = false;
    for (auto& value : values_) value = Value{};
}

const PreparedStatement::Column& PreparedStatement::expect(int column, Type type) const {
    static constexpr Names<Type::bytes> kTypes({{Type::null, "NULL"},
                                                {Type::number, "a number"},
                                                {Type::text, "a text"},
                                                {Type::bytes, "a blob"}});
    const auto& found = columns_[static_cast<std::size_t>(column)];
    const auto actual = found.is_null ? Type::null : found.type;
    if (actual == type) return found;
    std::string flaw = describe(column) + ": ";
    flaw.append(kTypes.text(actual)).append(" where ").append(kTypes.text(type));
    throw RowError(flaw + " is expected");
}

PreparedStatement::Type PreparedStatement::type(int column) const {
    return is_null(column) ? Type::null : columns_[static_cast<std::size_t>(column)].type;
}

bool PreparedStatement::is_null(int column) const {
    return columns_[static_cast<std::size_t>(column)].is_null != 0;
}

std::int64_t PreparedStatement::number(int column) const {
    return expect(column, Type::number).number;
}

std::string_view PreparedStatement::text(int column) const {
    const auto& found = expect(column, Type::text);
    return {found.buffer.data(), found.length};
}

Bytes PreparedStatement::bytes(int column) const {
    const auto& found = expect(column, Type::bytes);
    return {reinterpret_cast<const unsigned char*>(found.buffer.data()), found.length};
}

std::string PreparedStatement::describe(int column) const {
    return "column " + columns_[static_cast<std::size_t>(column)].name + " of " + sql_;
}

void PreparedStatement::keep_bound() {
    for (auto& value : values_) {
        if (value.text.data() != value.copy.data()) value.copy = value.text;
        value.text = {};
    }
    kept_.push_back(std::move(values_));
    values_.assign(static_cast<std::size_t>(translated_.values), Value{});
}

std::size_t PreparedStatement::run_rows() {
    auto rows = std::exchange(kept_, {});
    if (rows.empty()) return 0;
    std::vector<MYSQL_BIND> binds(translated_.parameters.size());
    std::vector<BulkColumn> bulk(binds.size());
    for (std::size_t i = 0; i < binds.size(); ++i) {
        const auto place = static_cast<std::size_t>(translated_.parameters[i] - 1);
        auto& [numbers, texts, lengths, indicators] = bulk[i];
        auto type = Type::number;  // of a column that is NULL in every row
        for (auto& row : rows) {
            auto& value = row[place];
            if (value.type != Type::null) type = value.type;
            numbers.push_back(value.number);
            texts.push_back(value.copy.data());
            lengths.push_back(value.copy.size());
            indicators.push_back(value.type == Type::null ? STMT_INDICATOR_NULL
                                                          : STMT_INDICATOR_NONE);
        }
        auto& bind = binds[i];
        bind.u.indicator = indicators.data();
        if (type == Type::number) {
            bind.buffer_type = MYSQL_TYPE_LONGLONG;
            bind.buffer = numbers.data();
        } else {
            bind.buffer_type = type == Type::text ? MYSQL_TYPE_STRING : MYSQL_TYPE_BLOB;
            bind.buffer = static_cast<void*>(texts.data());
            bind.length = lengths.data();
        }
    }
    send_rows(rows.size(), binds.data());
    return static_cast<std::size_t>(mysql_stmt_affected_rows(handle_.get()));
}

void PreparedStatement::send_rows(std::size_t count, MYSQL_BIND* binds) {
    auto size = static_cast<unsigned>(count);
    mysql_stmt_attr_set(handle_.get(), STMT_ATTR_ARRAY_SIZE, &size);
    const bool sent =
        mysql_stmt_bind_param(handle_.get(), binds) == 0 && mysql_stmt_execute(handle_.get()) == 0;
    // The next use may be one of a single row, even after a failure of this one.
    size = 0;
    mysql_stmt_attr_set(handle_.get(), STMT_ATTR_ARRAY_SIZE, &size);
    if (!sent) fail();
}

}  // namespace sluice::mariadb
