#include "adapters/sql/ledgers/buyer_lists.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "adapters/sql/ledgers/catalog.hpp"
#include "adapters/sql/ledgers/trail.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"

namespace sluice::ledgers {
namespace {

struct ListRow {
    std::int64_t edition = 0;
    std::int64_t listed = 0;
    std::int64_t phones = 0;
    Timestamp changed_at;
};

struct ListedRow {
    std::string phone;  // empty: the row names a user
    UserId user;
};

ListCounts counts_of(const ListRow& row) {
    return {.listed = row.listed, .phones = row.phones};
}

ListedBuyer to_buyer(ListedRow row) {
    if (row.phone.empty()) return row.user;
    return std::move(row.phone);
}

/// Inserts those that are not there, and counts them.
ListCounts add_buyers(Database& database, SaleId sale, std::int64_t edition,
                      const std::vector<ListedBuyer>& buyers) {
    ListCounts added;
    auto add = database.repeat(sql::list_buyer);
    for (const auto& buyer : buyers) {
        const auto* phone = std::get_if<std::string>(&buyer);
        const auto user = phone ? UserId{} : std::get<UserId>(buyer);
        const auto fresh = static_cast<std::int64_t>(
            add.run(sale, edition, phone ? std::string_view(*phone) : std::string_view(), user));
        added.listed += fresh;
        if (phone) added.phones += fresh;
    }
    return added;
}

/// The sale's own row is written last: purchases of the sale wait for whoever has written it.
Outcome<BuyerListLedger::Changed> change_list(Database& database,
                                              const BuyerListLedger::Change& change, News& news) {
    database.run(sql::begin_buyer_list, change.sale, Timestamp{});
    const auto present = database.value<ListRow>(sql::find_buyer_list, change.sale);
    const bool replaces = change.how == BuyerListLedger::How::replace;
    const auto edition = present.edition + (replaces ? 1 : 0);
    const auto kept = replaces ? ListCounts{} : counts_of(present);
    const auto added = add_buyers(database, change.sale, edition, change.buyers);
    const ListCounts after{.listed = kept.listed + added.listed,
                           .phones = kept.phones + added.phones};
    if (after.listed > kMostListed) return refuse(Reason::conflict, Detail::list_full);
    const auto deed = change.make_deed(counts_of(present), after);
    database.run(sql::update_buyer_list, change.sale, edition, after.listed, after.phones, deed.at);
    if (database.run(sql::count_list_change, change.sale) == 0) return refuse(Reason::not_found);
    add_deed(database, deed);
    auto sale = find_sale(database, change.sale).value();
    news.note(sale);
    return BuyerListLedger::Changed{std::move(sale), counts_of(present), after};
}

bool names_user(Database& database, SaleId sale, UserId user, const PhoneForm& form) {
    const auto list = database.row<ListRow>(sql::find_buyer_list, sale);
    if (!list || list->listed == 0) return false;
    if (database.has_row(sql::find_listed_buyer, sale, list->edition, "", user)) return true;
    if (list->phones == 0) return false;
    const auto phone = database.row<std::string>(sql::find_phone_of_user, user);
    if (!phone) return false;
    // The list may be from before the country was configured.
    return std::ranges::any_of(form.spellings(*phone), [&](const std::string& spelling) {
        return database.has_row(sql::find_listed_buyer, sale, list->edition, spelling, UserId{});
    });
}

BuyerListLedger::Page read_page(Database& database, const BuyerListLedger::Wanted& wanted) {
    const auto list = database.row<ListRow>(sql::find_buyer_list, wanted.sale);
    BuyerListLedger::Page page{.buyers = {}, .edition = list ? list->edition : 0};
    if (!list || wanted.edition.value_or(list->edition) != list->edition) return page;
    const auto* id = wanted.after ? std::get_if<UserId>(&*wanted.after) : nullptr;
    if (!id) {
        const auto last = wanted.after ? std::get<std::string>(*wanted.after) : std::string();
        page.buyers = database
                          .rows<ListedRow>(sql::page_of_listed_phones, wanted.sale, list->edition,
                                           last, wanted.limit)
                          .to_vector(to_buyer);
    }
    const auto room = wanted.limit - page.buyers.size();
    if (room == 0) return page;
    for (auto& row : database.rows<ListedRow>(sql::page_of_listed_ids, wanted.sale, list->edition,
                                              id ? *id : UserId{}, room))
        page.buyers.push_back(to_buyer(std::move(row)));
    return page;
}

std::size_t prune_lists(Database& database, const std::vector<SaleId>& over, std::size_t limit) {
    for (const auto sale : over) database.run(sql::empty_buyer_list, sale);
    using Former = std::tuple<SaleId, std::int64_t>;
    std::size_t removed = 0;
    while (removed < limit) {
        const auto former = database.row<Former>(sql::find_list_with_former_rows);
        if (!former) break;
        const auto& [sale, edition] = *former;
        removed += database.run(sql::prune_former_list, sale, edition, limit - removed);
    }
    return removed;
}

/// No coroutine: GCC 12 copies a lambda within a co_await byte by byte, and both copies would own
/// the vector.
Task<std::size_t> prune_in(Writer& writer, std::vector<SaleId> over, std::size_t limit) {
    return writer.write<std::size_t>([over = std::move(over), limit](Database& database) {
        return prune_lists(database, over, limit);
    });
}

}  // namespace

Task<Outcome<BuyerListLedger::Changed>> BuyerLists::change(Change change) {
    return writer_.write<Outcome<Changed>>(
        [change = std::move(change), &news = news_](Database& database) {
            return change_list(database, change, news);
        });
}

Task<BuyerListLedger::Shown> BuyerLists::show(SaleId sale) {
    return readers_.read<Shown>([sale](Database& database) -> Shown {
        const auto list = database.row<ListRow>(sql::find_buyer_list, sale);
        if (!list) return {};
        return {.counts = counts_of(*list), .changed_at = list->changed_at};
    });
}

Task<bool> BuyerLists::names(SaleId sale, UserId user, PhoneForm form) {
    return readers_.read<bool>(
        [sale, user, form](Database& database) { return names_user(database, sale, user, form); });
}

Task<BuyerListLedger::Page> BuyerLists::page(Wanted wanted) {
    return readers_.read<Page>(
        [wanted = std::move(wanted)](Database& database) { return read_page(database, wanted); });
}

Task<std::size_t> BuyerLists::prune(Timestamp over_before, std::size_t limit) {
    // Read apart: MariaDB locks what a transaction reads that writes, and purchases would wait.
    auto over = co_await readers_.read<std::vector<SaleId>>([over_before](Database& database) {
        return database.rows<SaleId>(sql::find_lists_of_over_sales, over_before).to_vector();
    });
    co_return co_await prune_in(writer_, std::move(over), limit);
}

}  // namespace sluice::ledgers
