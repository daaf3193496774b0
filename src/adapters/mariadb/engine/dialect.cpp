#include "adapters/mariadb/engine/dialect.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

#include "adapters/mariadb/engine/overrides.hpp"
#include "adapters/mariadb/engine/own_statements.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"

namespace sluice::mariadb {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// A piece of a text: a word, a quoted text, a comment, or any other single character.
struct Piece {
    enum class Kind { word, quoted, comment, other };
    Kind kind = Kind::other;
    std::string_view text;
};

class Pieces {
  public:
    explicit Pieces(std::string_view text) : rest_(text) {}

    std::optional<Piece> next() {
        if (rest_.empty()) return std::nullopt;
        if (rest_.starts_with("--")) return take(Piece::Kind::comment, rest_.find('\n'));
        if (rest_.starts_with("/*")) return take(Piece::Kind::comment, end_after("*/", 2));
        if (rest_[0] == '\'' || rest_[0] == '"' || rest_[0] == '`')
            return take(Piece::Kind::quoted, end_after(rest_.substr(0, 1), 1));
        if (!is_word(rest_[0])) return take(Piece::Kind::other, 1);
        const auto* end = std::ranges::find_if_not(rest_, is_word);
        return take(Piece::Kind::word, static_cast<std::size_t>(end - rest_.begin()));
    }

  private:
    std::size_t end_after(std::string_view mark, std::size_t from) const {
        const auto at = rest_.find(mark, from);
        return at == std::string_view::npos ? at : at + mark.size();
    }
    Piece take(Piece::Kind kind, std::size_t length) {
        const auto text = rest_.substr(0, length);
        rest_.remove_prefix(text.size());
        return {kind, text};
    }

    std::string_view rest_;
};

std::string_view trimmed(std::string_view text) {
    const auto* space = " \t\r\n";
    const auto begin = text.find_first_not_of(space);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

constexpr std::string_view kArchivedTables[] = {"charges",  "earlier_tickets", "holdings",
                                                "journal",  "orders",          "payment_events",
                                                "payments", "refunds"};
/// The rows of these tables name their sale themselves. The others are reached from an order or
/// from a buyer's tickets.
constexpr std::string_view kOfSale[] = {"holdings", "journal", "orders"};
constexpr std::string_view kNotInArchive[] = {
    "archived_sales", "buyer_lists",   "hold_networks", "listed_buyers",
    "parked_tickets", "picture_sizes", "pictures",      "webhook_deliveries",
    "webhook_events", "webhook_wants", "webhooks"};

bool is_among(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// The rows of archived sales. archived_sales comes second: then a page is read in the order of the
/// table's own indexes.
std::string only_archived(const std::string& table) {
    return "(SELECT archived_" + table + ".* FROM archived_" + table +
           " STRAIGHT_JOIN archived_sales ON archived_sales.sale_id = archived_" + table +
           ".sale_id)";
}

/// What replaces `table` in a statement over the archive; empty for a table that ledger and archive
/// share.
std::string archived_table(std::string_view table, ArchivedRows rows) {
    const std::string name(table);
    const bool for_readers = rows == ArchivedRows::valid;
    if (for_readers && is_among(kOfSale, table)) return only_archived(name);
    if (is_among(kArchivedTables, table)) return "archived_" + name;
    if (!for_readers) return {};
    if (table == "sales")
        return "(SELECT sales.* FROM sales JOIN archived_sales ON archived_sales.sale_id = "
               "sales.id)";
    if (is_among(kNotInArchive, table)) return "(SELECT * FROM " + name + " WHERE FALSE)";
    return {};
}

bool is_space(const Piece& piece) {
    return piece.kind == Piece::Kind::other &&
           std::isspace(static_cast<unsigned char>(piece.text[0]));
}

/// The next piece that is not space, without taking it.
std::string_view peek(Pieces pieces) {
    while (const auto piece = pieces.next())
        if (!is_space(*piece)) return piece->text;
    return {};
}

// The two ways to say that an existing row stays: in a statement of the ledgers, and in one of our
// own.
constexpr std::string_view kShared = "ON CONFLICT DO NOTHING";
constexpr std::string_view kOwn = "/* absent */";

}  // namespace

Translated translate(std::string_view sql) {
    auto text = trimmed(sql);
    if (text.ends_with(';')) text = trimmed(text.substr(0, text.size() - 1));
    Translated translated;
    translated.where_absent = text.ends_with(kShared) || text.contains(kOwn);
    if (text.ends_with(kShared)) text = trimmed(text.substr(0, text.size() - kShared.size()));
    Pieces pieces(text);
    bool after_mark = false;
    while (const auto piece = pieces.next()) {
        if (std::exchange(after_mark, piece->text == "?")) {
            const int value = std::stoi(std::string(piece->text));
            translated.parameters.push_back(value);
            translated.values = std::max(translated.values, value);
        } else if (piece->kind != Piece::Kind::comment) {
            translated.text += piece->text;
        }
    }
    CHECK(!after_mark, "a value has a number");
    return translated;
}

std::string_view dialect_of(std::string_view sql, bool writes) {
    using Pair = std::pair<std::string_view, std::string_view>;
    static constexpr Pair kLocking[] = {
        {sql::find_sale, own::find_sale_for_update},
        {sql::find_hot_seq, own::find_hot_seq_for_update},
        {sql::find_order, own::find_order_for_update},
        {sql::find_payment, own::find_payment_for_update},
        {sql::find_refund, own::find_refund_for_update},
        {sql::find_sandbox_account, own::find_sandbox_account_for_update},
        {sql::find_units, own::find_units_for_update},
        {sql::find_user, own::find_user_for_update},
        {sql::list_due, own::list_due_for_update},
    };
    if (writes)
        for (const auto& [shared, locking] : kLocking)
            if (shared == sql) return locking;
    for (const auto& [shared, ours] : overrides)
        if (shared == sql) return ours;
    return sql;
}

std::string over_archive(std::string_view sql, ArchivedRows rows) {
    std::string text;
    std::string_view before;  // the last piece that is not space
    Pieces pieces(sql);
    while (const auto piece = pieces.next()) {
        if (piece->kind == Piece::Kind::comment) continue;
        // Indexes have other names there.
        if (piece->text == "FORCE") {
            for (auto hint = piece; hint && hint->text != ")";) hint = pieces.next();
            continue;
        }
        const bool names_table = before == "FROM" || before.ends_with("JOIN");
        const auto table = names_table ? archived_table(piece->text, rows) : std::string{};
        text.append(table.empty() ? piece->text : table);
        if (!table.empty() && peek(pieces) != "AS") text.append(" AS ").append(piece->text);
        if (!is_space(*piece)) before = piece->text;
    }
    return text;
}

std::vector<std::string> split_script(std::string_view script) {
    std::vector<std::string> statements;
    std::string statement;
    while (!script.empty()) {
        const auto end = std::min(script.find('\n'), script.size());
        const auto line = script.substr(0, end);
        script.remove_prefix(std::min(end + 1, script.size()));
        const bool is_between = statement.empty() && (line.empty() || line.starts_with("--"));
        if (!is_between) statement.append(line) += '\n';
        if (!line.ends_with(';') || !(script.empty() || script.starts_with('\n'))) continue;
        statement.resize(statement.size() - 2);  // without the semicolon and the end of the line
        statements.push_back(std::exchange(statement, {}));
    }
    CHECK(statement.empty(), "the last statement of a script has its end");
    return statements;
}

}  // namespace sluice::mariadb
