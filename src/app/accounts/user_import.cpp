#include "app/accounts/user_import.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/ascii.hpp"
#include "base/csv.hpp"
#include "base/encoding.hpp"
#include "domain/text_rules.hpp"

namespace sluice {
namespace {

constexpr std::array<std::string_view, 5> kColumns{"phone", "name", "salt", "hash", "role"};
constexpr std::size_t kMaxSaltBytes = 256;

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), to_lower);
    return result;
}

bool names_the_columns(const CsvRow& row) {
    return std::ranges::equal(row.fields, kColumns, {}, lower);
}

class TableReader {
  public:
    TableReader(const LegacyScheme& scheme, const PhoneForm& form) : scheme_(scheme), form_(form) {}

    void take(CsvRow& row) {
        if (!row.error.empty()) return complain(row.line, std::string(row.error));
        if (row.fields.size() != kColumns.size())
            return complain(row.line, "has " + std::to_string(row.fields.size()) +
                                          " fields, not the five phone,name,salt,hash,role");
        for (const auto& field : row.fields)
            if (!is_utf8(field)) return complain(row.line, "is not UTF-8");
        take_user(row);
    }

    bool full() const { return table_.more_errors; }
    ImportedTable result() && { return std::move(table_); }

  private:
    void take_user(CsvRow& row) {
        const auto &phone = row.fields[0], &hash = row.fields[3], &role_name = row.fields[4];
        auto &name = row.fields[1], &salt = row.fields[2];
        const auto errors_before = errors_;
        for (const auto& error : check_profile(phone, name))
            complain(row.line, error.field + " " + text_of(error.complaint));
        if (salt.empty() || salt.size() > kMaxSaltBytes)
            complain(row.line, "salt must have 1 to 256 bytes");
        if (hash.size() != scheme_.digits || !from_hex(hash))
            complain(row.line, "hash must be " + std::to_string(scheme_.digits) +
                                   " hex digits, as " + std::string(scheme_.name) + " makes them");
        const auto role = role_name.empty() ? Role::buyer : parse_role(role_name);
        if (!role) complain(row.line, "role must be buyer, support, operator or admin");
        auto canonical = form_.canonical(phone);
        const auto [first, fresh] = lines_.try_emplace(canonical, row.line);
        if (!fresh)
            complain(row.line, "the phone is the one of line " + std::to_string(first->second));
        if (lines_.size() > kMaxImportedUsers)
            complain(row.line, "has more users than one import takes: split the file");
        if (errors_ != errors_before) return;
        table_.users.push_back({.line = row.line,
                                .phone = std::move(canonical),
                                .name = name.empty() ? default_name(phone) : std::move(name),
                                .salt = std::move(salt),
                                .digest = lower(hash),
                                .role = *role});
    }

    void complain(std::size_t line, std::string message) {
        ++errors_;
        if (table_.errors.size() < kMaxImportErrors)
            table_.errors.push_back({line, std::move(message)});
        else
            table_.more_errors = true;
    }

    const LegacyScheme& scheme_;
    const PhoneForm& form_;
    ImportedTable table_;
    std::size_t errors_ = 0;
    std::unordered_map<std::string, std::size_t> lines_;  // of each phone
};

}  // namespace

ImportedTable read_import(std::string_view csv, const LegacyScheme& scheme, const PhoneForm& form) {
    CsvReader rows(csv);
    TableReader table(scheme, form);
    for (auto row = rows.next(); row && !table.full(); row = rows.next())
        if (row->line != 1 || !names_the_columns(*row)) table.take(*row);
    return std::move(table).result();
}

}  // namespace sluice
