#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

struct CsvRow {
    std::size_t line = 0;  // where it begins, from 1
    std::vector<std::string> fields;
    std::string_view error;  // what is wrong with its quotes; the fields are not valid then
};

/// RFC 4180, row by row: fields between commas, in quotes if they contain commas, quotes (doubled)
/// or line breaks. Lines end with LF or CRLF; empty lines and a byte order mark are skipped.
class CsvReader {
  public:
    /// The text outlives the reader.
    explicit CsvReader(std::string_view text);

    std::optional<CsvRow> next();

  private:
    bool take_field(CsvRow& row);
    bool take_quoted(CsvRow& row, std::string& field);
    bool take_line_end();
    void skip_line();

    std::string_view rest_;
    std::size_t line_ = 1;
};

/// Appends a row that CsvReader reads back, ended by CRLF. A field that a spreadsheet would take
/// for a formula gets an apostrophe in front, which makes it text there. So does text after a
/// semicolon, a tab or a line break, where other spreadsheets begin another cell.
void append_csv_row(std::string& out, std::initializer_list<std::string_view> fields);

}  // namespace sluice
