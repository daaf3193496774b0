#include "adapters/sql/ledgers/catalog.hpp"

#include "adapters/sql/catalog_rows.hpp"
#include "adapters/sql/ledgers/hot_outbox.hpp"
#include "adapters/sql/ledgers/pictures.hpp"
#include "adapters/sql/ledgers/receipts.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/check.hpp"
#include "domain/catalog_rules.hpp"
#include "domain/hot_copy_rules.hpp"

namespace sluice::ledgers {
namespace {

/// Asked only of a sale for which it matters: MariaDB locks the rows that are read, and purchases
/// of the item's other sales would wait.
bool has_other_standing(Database& database, const Sale& sale, Timestamp now) {
    return stands(sale) &&
           database.has_row(sql::find_other_standing_sale, sale.item_id, sale.id, now);
}

/// The stock is written only when the change is one of the stock.
Outcome<Done> write_change(Database& database, const Sale& before,
                           const CatalogLedger::SaleChange& change) {
    const auto& [sale, deed] = change;
    CHECK(sale.id == before.id && sale.version == before.version + 1, "a change is one version");
    if (auto no = why_not_changed(sale, has_other_standing(database, sale, deed.at)))
        return std::unexpected(std::move(*no));
    database.run(sql::update_sale, sale.id, sale.version, sale.price_cents, sale.starts_at,
                 sale.ends_at, sale.ended_at, sale.paused, sale.resumed_at, sale.limit_per_buyer,
                 sale.hold_seconds, sale.challenge, sale.gate_factor, sale.challenge_bits,
                 sale.unpaid_limit, sale.challenge_alternative, sale.name, sale.campaign,
                 joined_lines(sale.tags), sale.audience, sale.listed_until);
    if (const auto restocked = hot_change_for_restock(before.stock, sale.stock)) {
        database.run(sql::change_stock, sale.id, restocked->delta_left);
        add_hot_change(database, sale.id, *restocked, deed.at);
    }
    add_deed(database, deed);
    return Done{};
}

}  // namespace

Task<CatalogLedger::Contents> Catalog::load() {
    return readers_.read<Contents>([](Database& database) { return load_contents(database); });
}

Task<Outcome<Created>> Catalog::add_item(Item item, Deed deed, std::optional<Receipt> receipt) {
    return writer_.write<Outcome<Created>>([item = std::move(item), deed = std::move(deed),
                                            receipt = std::move(receipt)](Database& database) {
        return create_once(database, receipt, [&]() -> Outcome<Done> {
            database.run(sql::add_item, to_row(item));
            note_pictures_of(database, item, deed.at);
            add_deed(database, deed);
            return Done{};
        });
    });
}

Task<Outcome<Done>> Catalog::update_item(Item item, Deed deed) {
    return writer_.write<Outcome<Done>>(
        [item = std::move(item), deed = std::move(deed)](Database& database) -> Outcome<Done> {
            // MariaDB locks the sales that are read, and only an archived item must have none.
            const bool on_sale =
                item.archived && database.has_row(sql::find_sale_that_goes_on, item.id, deed.at);
            if (auto no = why_not_updated(item, on_sale)) return std::unexpected(std::move(*no));
            const auto updated =
                database.run(sql::update_item, item.id, item.title, item.description,
                             item.image_url, item.list_price_cents, item.currency, item.version,
                             item.category, joined_lines(item.pictures), item.archived);
            if (updated == 0) return refuse(Reason::conflict, Detail::changed_meanwhile);
            note_pictures_of(database, item, deed.at);
            add_deed(database, deed);
            return Done{};
        });
}

Task<Outcome<Created>> Catalog::add_sale(Sale sale, Deed deed, std::optional<Receipt> receipt) {
    return writer_.write<Outcome<Created>>([sale = std::move(sale), deed = std::move(deed),
                                            receipt = std::move(receipt)](Database& database) {
        return create_once(database, receipt, [&] {
            auto added = insert_sale(database, sale);
            if (added) add_deed(database, deed);
            return added;
        });
    });
}

Task<Outcome<CatalogLedger::SaleChanged>> Catalog::change_sale(SaleId id, DecideSale decide,
                                                               std::optional<Receipt> receipt) {
    return writer_.write<Outcome<SaleChanged>>([id, decide = std::move(decide),
                                                receipt = std::move(receipt),
                                                &news = news_](Database& database) {
        return ledgers::change_sale(database, id, decide, receipt, news);
    });
}

CatalogLedger::Contents load_contents(Database& database) {
    return {database.rows<ItemRow>(sql::load_items).to_vector(to_item),
            database.rows<SaleRow>(sql::load_sales).to_vector(to_sale)};
}

Outcome<Done> insert_sale(Database& database, const Sale& sale) {
    const ItemFacts facts{
        .is_archived = database.has_row(sql::find_archived_item, sale.item_id),
        .has_other_standing = has_other_standing(database, sale, sale.created_at)};
    if (auto no = why_not_added(sale, facts)) return std::unexpected(std::move(*no));
    database.run(sql::add_sale, to_row(sale));
    return Done{};
}

Outcome<CatalogLedger::SaleChanged> change_sale(Database& database, SaleId id,
                                                const CatalogLedger::DecideSale& decide,
                                                const std::optional<Receipt>& receipt, News& news) {
    const auto before = find_sale(database, id);
    if (!before) return refuse(Reason::not_found);
    CatalogLedger::SaleChanged changed{*before, *before};
    const auto done = create_once(database, receipt, [&]() -> Outcome<Done> {
        const auto change = decide(*before);
        if (!change) return std::unexpected(change.error());
        if (!*change) return Done{};
        changed.after = (*change)->after;
        return write_change(database, *before, **change);
    });
    if (!done) return std::unexpected(done.error());
    if (changed.after.version != before->version) {
        changed.after = find_sale(database, id).value();
        news.note(changed.after);
    }
    return changed;
}

std::optional<Sale> find_sale(Database& database, SaleId id) {
    return database.row<SaleRow>(sql::find_sale, id).transform(to_sale);
}

}  // namespace sluice::ledgers
