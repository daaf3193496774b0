#include "base/csv.hpp"

#include <algorithm>

namespace sluice {
namespace {

/// The last four are the wide forms, which some spreadsheets treat like the narrow ones.
bool begins_like_a_formula(std::string_view field) {
    constexpr std::string_view starts[] = {"=",  "+",      "-",      "@",      "\t",    "\r",
                                           "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
    // A sign with only digits after it begins a phone or a number.
    const bool number = field.size() > 1 && (field[0] == '+' || field[0] == '-') &&
                        field.find_first_not_of("0123456789", 1) == field.npos;
    return !number &&
           std::ranges::any_of(starts, [&](auto start) { return field.starts_with(start); });
}

/// Where a cell begins for a spreadsheet that separates cells by semicolons or tabs, as in many
/// languages: it splits our rows in the middle of a field, in spite of quotes.
constexpr std::string_view kCellBorders = ";\t\r\n";

bool begins_a_formula_behind_a_border(std::string_view rest) {
    auto cell = rest.substr(0, rest.find_first_of(kCellBorders));
    while (cell.starts_with('"') || cell.starts_with(' ')) cell.remove_prefix(1);
    return begins_like_a_formula(cell);
}

void append_field(std::string& out, std::string_view field) {
    const bool quoted = field.find_first_of(",;\t\"\r\n") != field.npos;
    if (quoted) out += '"';
    if (begins_like_a_formula(field)) out += '\'';
    for (std::size_t i = 0; i < field.size(); ++i) {
        if (field[i] == '"') out += '"';
        out += field[i];
        if (kCellBorders.find(field[i]) != kCellBorders.npos &&
            begins_a_formula_behind_a_border(field.substr(i + 1)))
            out += '\'';
    }
    if (quoted) out += '"';
}

}  // namespace

CsvReader::CsvReader(std::string_view text) : rest_(text) {
    if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);
}

std::optional<CsvRow> CsvReader::next() {
    while (take_line_end()) {
    }
    if (rest_.empty()) return std::nullopt;
    CsvRow row{.line = line_, .fields = {}, .error = {}};
    while (take_field(row)) {
    }
    if (!row.error.empty()) skip_line();
    return row;
}

/// Whether another field follows in the row.
bool CsvReader::take_field(CsvRow& row) {
    std::string field;
    if (rest_.starts_with('"')) {
        if (!take_quoted(row, field)) return false;
    } else {
        const auto end = std::min(rest_.find_first_of(",\r\n\""), rest_.size());
        field = rest_.substr(0, end);
        rest_.remove_prefix(end);
    }
    row.fields.push_back(std::move(field));
    if (rest_.starts_with(',')) {
        rest_.remove_prefix(1);
        return true;
    }
    if (rest_.empty() || take_line_end()) return false;
    row.error = rest_.starts_with('"')
                    ? "a quote stands inside a field that does not begin with one"
                    : "something follows a quoted field before the comma";
    return false;
}

bool CsvReader::take_quoted(CsvRow& row, std::string& field) {
    const auto begin = rest_.substr(1);
    for (auto text = begin;;) {
        const auto quote = text.find('"');
        if (quote == text.npos) {
            row.error = "a quoted field does not end";
            return false;
        }
        field += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"')) {
            line_ += static_cast<std::size_t>(std::ranges::count(field, '\n'));
            rest_ = text;
            return true;
        }
        field += '"';
        text.remove_prefix(1);
    }
}

bool CsvReader::take_line_end() {
    const std::size_t length = rest_.starts_with("\r\n") ? 2 : rest_.starts_with('\n') ? 1 : 0;
    rest_.remove_prefix(length);
    line_ += length > 0;
    return length > 0;
}

void CsvReader::skip_line() {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    rest_.remove_prefix(end);
    take_line_end();
}

void append_csv_row(std::string& out, std::initializer_list<std::string_view> fields) {
    bool first = true;
    for (const auto field : fields) {
        if (!first) out += ',';
        first = false;
        append_field(out, field);
    }
    out += "\r\n";
}

}  // namespace sluice
