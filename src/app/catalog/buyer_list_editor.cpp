#include "app/catalog/buyer_list_editor.hpp"

#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/names.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr Names<BuyerListLedger::How::append> kActions(
    {{BuyerListLedger::How::replace, "sale.list_replace"},
     {BuyerListLedger::How::append, "sale.list_extend"}});

std::string describe(const ListCounts& counts) {
    return boost::json::serialize(
        boost::json::object{{"listed", counts.listed}, {"phones", counts.phones}});
}

}  // namespace

Task<Outcome<BuyerListEditor::Changed>> BuyerListEditor::upload(Change wish, std::string_view csv,
                                                                Actor actor) {
    auto read = read_buyer_list(csv, form_);
    if (!read.errors.empty()) co_return refuse(std::move(read.errors));
    BuyerListLedger::Change wanted{
        .sale = wish.sale, .how = wish.how, .buyers = std::move(read.buyers), .make_deed = {}};
    std::string action(kActions.text(wish.how));
    auto changed = co_await change(std::move(wanted), std::move(action), std::move(actor));
    co_return changed;
}

Task<Outcome<BuyerListEditor::Changed>> BuyerListEditor::clear(SaleId sale, Actor actor) {
    return change({.sale = sale, .how = How::replace, .buyers = {}, .make_deed = {}},
                  "sale.list_clear", std::move(actor));
}

Task<Outcome<BuyerListEditor::Changed>> BuyerListEditor::change(BuyerListLedger::Change wish,
                                                                std::string action, Actor actor) {
    const auto given = wish.buyers.size();
    // Runs on the ledger's thread: clock and ids may be used from any thread.
    wish.make_deed = [this, action = std::move(action), actor = std::move(actor),
                      subject = wish.sale.text()](const ListCounts& before,
                                                  const ListCounts& after) {
        const auto now = clock_.now();
        return make_deed(actor, DeedId{ids_.next(now)}, now, action, subject, describe(before),
                         describe(after));
    };
    const auto changed = co_await ledger_.change(std::move(wish));
    if (!changed) co_return std::unexpected(changed.error());
    // Before the caller is answered: from then on this node asks anew.
    catalog_.put(changed->sale);
    co_return Changed{changed->before, changed->after, given};
}

BuyerListEditor::Walk::Walk(BuyerListEditor& owner, SaleId sale)
    : owner_(owner), wanted_{.sale = sale, .edition = {}, .after = {}, .limit = kPage} {
    ++owner_.exports_;
}

BuyerListEditor::Walk::~Walk() {
    --owner_.exports_;
}

Task<std::vector<ListedBuyer>> BuyerListEditor::Walk::next() {
    auto page = co_await owner_.ledger_.page(wanted_);
    if (wanted_.edition && *wanted_.edition != page.edition)
        throw Outage("the list was replaced while it was read");
    wanted_.edition = page.edition;
    if (!page.buyers.empty()) wanted_.after = page.buyers.back();
    co_return std::move(page.buyers);
}

Task<std::unique_ptr<BuyerListEditor::Walk>> BuyerListEditor::begin_export(SaleId sale,
                                                                           Actor actor) {
    auto walk = std::make_unique<Walk>(*this, sale);
    if (exports_ > kExportsAtOnce) co_return nullptr;
    const auto list = co_await ledger_.show(sale);
    const auto now = clock_.now();
    auto deed = make_deed(actor, DeedId{ids_.next(now)}, now, "sale.list_export", sale.text(), "",
                          describe(list.counts));
    co_await trail_.add(std::move(deed));
    co_return walk;
}

}  // namespace sluice
