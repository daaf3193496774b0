#include "adapters/sqlite/ledgers/catalog.hpp"

#include "adapters/sqlite/engine/statements.hpp"
#include "adapters/sqlite/ledgers/hot_outbox.hpp"
#include "adapters/sqlite/ledgers/receipts.hpp"
#include "adapters/sqlite/ledgers/trail.hpp"
#include "base/check.hpp"

namespace sluice::sqlite {
namespace {

std::vector<Item> load_items(Database& database) {
    std::vector<Item> items;
    auto rows = database.query(sql::load_items);
    while (rows.step())
        items.push_back({.id = rows.column<ItemId>(0),
                         .title = rows.column<std::string>(1),
                         .description = rows.column<std::string>(2),
                         .image_url = rows.column<std::string>(3),
                         .list_price_cents = rows.column<std::int64_t>(4),
                         .currency = rows.column<std::string>(5),
                         .version = rows.column<std::int64_t>(6),
                         .created_at = rows.column<Timestamp>(7)});
    return items;
}

Sale read_sale(const Statement& row) {
    const auto kind = parse_sale_kind(row.column<std::string>(2));
    const auto challenge = parse_challenge(row.column<std::string>(15));
    CHECK(kind && challenge, "the schema allows only known kinds and challenges");
    return {.id = row.column<SaleId>(0),
            .item_id = row.column<ItemId>(1),
            .kind = *kind,
            .price_cents = row.column<std::int64_t>(3),
            .currency = row.column<std::string>(4),
            .starts_at = row.column<Timestamp>(5),
            .ends_at = row.column<std::optional<Timestamp>>(6),
            .ended_at = row.column<std::optional<Timestamp>>(7),
            .paused = row.column<bool>(8),
            .resumed_at = row.column<std::optional<Timestamp>>(21),
            .stock = {.total = row.column<std::int64_t>(9),
                      .left = row.column<std::int64_t>(10),
                      .held = row.column<std::int64_t>(11),
                      .sold = row.column<std::int64_t>(12)},
            .limit_per_buyer = row.column<std::int64_t>(13),
            .hold_seconds = row.column<std::int64_t>(14),
            .challenge = *challenge,
            .challenge_bits = row.column<std::optional<std::int64_t>>(20),
            .gate_factor = row.column<std::int64_t>(16),
            .epoch = row.column<std::int64_t>(17),
            .hot_seq = row.column<std::int64_t>(22),
            .version = row.column<std::int64_t>(18),
            .news_seq = row.column<std::int64_t>(23),
            .created_at = row.column<Timestamp>(19)};
}

std::vector<Sale> load_sales(Database& database) {
    std::vector<Sale> sales;
    auto rows = database.query(sql::load_sales);
    while (rows.step()) sales.push_back(read_sale(rows));
    return sales;
}

/// Whether the item would have two standing sales that run at `now`.
bool stands_beside_another(Database& database, const Sale& sale, Timestamp now) {
    if (sale.kind != SaleKind::standing || sale.ended_at) return false;
    return database.query(sql::find_other_standing_sale, sale.item_id, sale.id, now).step();
}

/// The stock only when the change is one of the stock.
Outcome<Done> write_change(Database& database, const Sale& before,
                           const CatalogLedger::SaleChange& change) {
    const auto& [sale, deed] = change;
    CHECK(sale.id == before.id && sale.version == before.version + 1, "a change is one version");
    if (stands_beside_another(database, sale, deed.at))
        return refuse(Reason::conflict, Detail::standing_sale_exists);
    database.run(sql::update_sale, sale.id, sale.version, sale.price_cents, sale.starts_at,
                 sale.ends_at, sale.ended_at, sale.paused, sale.resumed_at, sale.limit_per_buyer,
                 sale.hold_seconds, to_string(sale.challenge), sale.gate_factor,
                 sale.challenge_bits);
    const auto units = sale.stock.total - before.stock.total;
    if (units != 0) {
        database.run(sql::change_stock, sale.id, units);
        add_hot_change(database, sale.id,
                       {.seq = 0, .delta_left = units, .buyer = {}, .delta_units = 0}, deed.at);
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
            database.run(sql::add_item, item.id, item.title, item.description, item.image_url,
                         item.list_price_cents, item.currency, item.version, item.created_at);
            add_deed(database, deed);
            return Done{};
        });
    });
}

Task<Outcome<Done>> Catalog::update_item(Item item, Deed deed) {
    return writer_.write<Outcome<Done>>(
        [item = std::move(item), deed = std::move(deed)](Database& database) -> Outcome<Done> {
            const auto updated =
                database.run(sql::update_item, item.id, item.title, item.description,
                             item.image_url, item.list_price_cents, item.currency, item.version);
            if (updated == 0) return refuse(Reason::conflict, Detail::changed_meanwhile);
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
        return sqlite::change_sale(database, id, decide, receipt, news);
    });
}

CatalogLedger::Contents load_contents(Database& database) {
    return {load_items(database), load_sales(database)};
}

Outcome<Done> insert_sale(Database& database, const Sale& sale) {
    if (stands_beside_another(database, sale, sale.created_at))
        return refuse(Reason::conflict, Detail::standing_sale_exists);
    database.run(sql::add_sale, sale.id, sale.item_id, to_string(sale.kind), sale.price_cents,
                 sale.currency, sale.starts_at, sale.ends_at, sale.ended_at, sale.paused,
                 sale.stock.total, sale.stock.left, sale.stock.held, sale.stock.sold,
                 sale.limit_per_buyer, sale.hold_seconds, to_string(sale.challenge),
                 sale.gate_factor, sale.version, sale.created_at, sale.challenge_bits);
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
    auto row = database.query(sql::find_sale, id);
    if (!row.step()) return std::nullopt;
    return read_sale(row);
}

}  // namespace sluice::sqlite
