#include "domain/buyer_list.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.hpp"
#include "base/csv.hpp"
#include "domain/user.hpp"

namespace sluice {
namespace {

enum class Column { phone, id, either };

struct ColumnName {
    std::string_view name;
    Column column;
};
constexpr auto kColumnNames = std::to_array<ColumnName>({{"phone", Column::phone},
                                                         {"phones", Column::phone},
                                                         {"mobile", Column::phone},
                                                         {"id", Column::id},
                                                         {"ids", Column::id},
                                                         {"buyer_id", Column::id},
                                                         {"user_id", Column::id}});

/// No id of ours is shorter, and no phone of the world has so many digits (domain/phone.cpp).
constexpr std::size_t kLeastIdDigits = 16;

std::string bare(std::string_view field) {
    std::string text(field);
    if (text.starts_with('\'')) text.erase(0, 1);
    std::erase_if(text, [](char c) { return c == ' ' || c == '-' || c == '\t'; });
    return text;
}

/// What the name of a column says. Any text without a digit is a name, in every language.
std::optional<Column> column_named(std::string_view field) {
    if (std::ranges::any_of(field, [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    std::string name(field);
    std::ranges::transform(name, name.begin(), to_lower);
    const auto at = std::ranges::find(kColumnNames, name, &ColumnName::name);
    return at == kColumnNames.end() ? Column::either : at->column;
}

bool looks_like_id(std::string_view text) {
    return text.size() >= kLeastIdDigits && UserId::parse(text).has_value();
}

class ListReader {
  public:
    explicit ListReader(const PhoneForm& form) : form_(form) {}

    void take(const CsvRow& row) {
        if (!row.error.empty()) return complain(row, Rule::bad_csv);
        if (row.fields.size() != 1) return complain(row, Rule::not_one_column);
        const auto text = bare(row.fields[0]);
        if (text.empty()) return;
        if (row.line == 1) {
            const auto named = column_named(text);
            column_ = named.value_or(Column::either);
            if (named) return;
        }
        auto buyer = to_buyer(text);
        if (!buyer) return complain(row, Rule::not_phone_or_id);
        list_.buyers.push_back(std::move(*buyer));
    }

    bool is_full() const { return list_.errors.size() >= kMostListErrors; }

    ReadList finish() && {
        if (list_.buyers.empty() && list_.errors.empty())
            list_.errors.push_back({"", Rule::list_empty});
        std::ranges::sort(list_.buyers);
        const auto [first, last] = std::ranges::unique(list_.buyers);
        list_.buyers.erase(first, last);
        return std::move(list_);
    }

  private:
    std::optional<ListedBuyer> to_buyer(const std::string& text) const {
        if (column_ == Column::id || (column_ == Column::either && looks_like_id(text)))
            return UserId::parse(text);
        if (!check_profile(text, "").empty()) return std::nullopt;
        return form_.canonical(text);
    }

    void complain(const CsvRow& row, Rule rule) {
        list_.errors.push_back({"line " + std::to_string(row.line), rule});
    }

    const PhoneForm& form_;
    Column column_ = Column::either;
    ReadList list_;
};

}  // namespace

ReadList read_buyer_list(std::string_view csv, const PhoneForm& form) {
    CsvReader rows(csv);
    ListReader list(form);
    for (auto row = rows.next(); row && !list.is_full(); row = rows.next()) list.take(*row);
    return std::move(list).finish();
}

}  // namespace sluice
