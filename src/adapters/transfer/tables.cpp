#include "adapters/transfer/tables.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "adapters/sql/archived_tables.hpp"
#include "base/check.hpp"

namespace sluice::transfer {
namespace {

/// Columns are numbers unless they end in :text or :blob.
struct Spec {
    const char* name;
    const char* keys;
    const char* columns;
    std::size_t rows_at_once = 500;
};

constexpr Spec kSpecs[] = {
    {"users", "id", "id phone:text name:text role:text password_hash:text created_at"},
    {"sessions", "key", "key:blob user_id expires_at ends_at strong network:text"},
    {"second_factors", "user_id", "user_id secret:blob confirmed last_step"},
    {"recovery_codes", "user_id digest", "user_id digest:blob"},
    {"blocks", "id", "id subject:text reason:text until at by_id"},
    {"settings", "name", "name:text value changed_at"},
    {"receipts", "scope key", "scope:text key:text body_digest:blob answer:text at"},
    {"items", "id",
     "id title:text description:text image_url:text list_price_cents currency:text version "
     "created_at category:text pictures:text archived"},
    {"sales", "id",
     "id item_id kind:text price_cents currency:text starts_at ends_at ended_at paused stock_total "
     "stock_left stock_held stock_sold limit_per_buyer hold_seconds challenge:text gate_factor "
     "version created_at epoch challenge_bits resumed_at hot_seq news_seq unpaid_limit "
     "challenge_alternative:text name:text campaign:text tags:text audience:text listed_until "
     "list_version"},
    {"buyer_lists", "sale_id", "sale_id edition listed phones changed_at"},
    {"listed_buyers", "sale_id edition phone buyer_id", "sale_id edition phone:text buyer_id"},
    {"pictures", "hash", "hash:blob bytes added_at used_at"},
    {"picture_sizes", "hash width", "hash:blob width height jpeg:blob", 20},
    {"ticket_key", "id", "id key:blob"},
    {"audit_trail", "id",
     "id at actor_id os_user:text address:text request_id:text action:text subject:text "
     "state_before:text state_after:text"},
    {"trail_chain", "place", "place deed_id hash:blob"},
    {"journal", "buyer_id sale_id mark",
     "buyer_id sale_id mark:blob quantity epoch state reason:text order_id pass:blob key:blob "
     "claimed_at superseded same_as:blob"},
    {"parked_tickets", "sale_id mark",
     "sale_id mark:blob buyer_id quantity epoch pass:blob key:blob claimed_at reason:text "
     "parked_at "
     "tried_at tries decided"},
    {"orders", "id",
     "id sale_id item_id buyer_id mark:blob quantity price_cents currency:text state:text "
     "created_at expires_at paid_at"},
    {"hold_networks", "sale_id mark", "sale_id mark:blob network:text at"},
    {"order_deliveries", "order_id",
     "order_id sale_id state:text carrier:text number:text changed_at"},
    {"contacts", "user_id", "user_id name:text phone:text address:text note:text changed_at"},
    {"order_contacts", "order_id",
     "order_id buyer_id name:text phone:text address:text note:text changed_at"},
    {"holdings", "sale_id buyer_id", "sale_id buyer_id units latest:blob"},
    {"order_tallies", "sale_id", "sale_id orders paid expired"},
    {"archived_sales", "sale_id", "sale_id at orders last_order digest:blob"},
    {"hot_outbox", "id", "id sale_id seq delta_left buyer_id delta_units at"},
    {"payments", "id",
     "id order_id provider:text amount_cents currency:text state:text provider_ref:text "
     "pay_url:text created_at"},
    {"charges", "id",
     "id payment_id order_id provider:text provider_ref:text amount_cents currency:text captures "
     "at"},
    {"refunds", "charge_id",
     "charge_id reason:text owed_at attempts next_attempt_at done_at provider:text order_id "
     "by_hand"},
    {"payment_events", "arrival",
     "provider:text event_id:text payment_id type:text outcome:text at arrival"},
    {"sandbox_bills", "ref",
     "ref:text payment_id amount_cents currency:text attempts paid created_at"},
    {"sandbox_letters", "id", "id body:text attempts due_at delivered_at"},
    {"sandbox_refunds", "key", "key:text charge:text amount_cents at"},
    {"funnel_totals", "sale_id node",
     "sale_id node visits challenges passes attempts claims refusals:text orders paid expired at "
     "backlog p50_us p90_us p99_us p999_us"},
    {"stats_points", "seconds sale_id at node",
     "seconds sale_id at node visits challenges passes attempts claims refusals:text orders paid "
     "expired stock_total stock_left stock_held stock_sold backlog p50_us p90_us p99_us p999_us"},
    {"webhooks", "id", "id url:text created_at after_order pruned_to deleted_at"},
    {"webhook_wants", "type webhook_id", "type:text webhook_id"},
    {"webhook_events", "id", "id at type:text lane stock_total stock_left stock_held stock_sold"},
    {"webhook_deliveries", "webhook_id event_id",
     "webhook_id event_id lane state:text since due_at attempts resends tried_at last_status "
     "last_error:text delivered_at"},
};

constexpr std::array<std::string_view, 21> kLeftOut{
    "migrations",         // the migrations of this database
    "former_migrations",  // those of the database before; see copy_migrations()
    "ledger_name",        // a copy has another
    "write_probe",        // used by the writer only, and only for a moment
    "earlier_tickets",    // kept by triggers of the journal
    "trail_head",
    "ledger_turn",
    "ledger_writers",
    "schema_objects",
    "webhook_event_numbers",
    "ledger_nodes",
    "ledger_keys",      // about the servers that use this database
    "sluice_transfer",  // about this copy itself
    // The archive is copied separately: see archive_tables().
    "archived_orders",
    "archived_journal",
    "archived_earlier_tickets",
    "archived_holdings",
    "archived_payments",
    "archived_charges",
    "archived_refunds",
    "archived_payment_events",
};

Column read_column(const std::string& word) {
    const auto colon = word.find(':');
    if (colon == word.npos) return {word, Type::number};
    return {word.substr(0, colon), word.substr(colon) == ":text" ? Type::text : Type::blob};
}

Table read_table(const Spec& spec) {
    Table table{.name = spec.name, .columns = {}, .keys = {}, .rows_at_once = spec.rows_at_once};
    std::string word;
    for (std::istringstream words(spec.columns); words >> word;)
        table.columns.push_back(read_column(word));
    for (std::istringstream words(spec.keys); words >> word;) {
        const auto key = std::ranges::find(table.columns, word, &Column::name);
        CHECK(key != table.columns.end(), "a key is one of the columns");
        table.keys.push_back(static_cast<std::size_t>(key - table.columns.begin()));
    }
    return table;
}

}  // namespace

const std::vector<Table>& tables() {
    static const auto all = [] {
        std::vector<Table> made;
        for (const auto& spec : kSpecs) made.push_back(read_table(spec));
        return made;
    }();
    return all;
}

const std::vector<Table>& archive_tables() {
    static const auto some = [] {
        std::vector<Table> moving;
        for (const auto& archived : sql::kArchivedTables) {
            const auto table = std::ranges::find(tables(), archived.name, &Table::name);
            CHECK(table != tables().end(), "what is archived is a table of the ledger");
            moving.push_back(*table);
        }
        return moving;
    }();
    return some;
}

std::span<const std::string_view> tables_left_out() {
    return kLeftOut;
}

}  // namespace sluice::transfer
