#include "api/office/admin_items.hpp"

#include "api/answers.hpp"
#include "api/json_reader.hpp"
#include "api/shop/shop_window.hpp"
#include "gate/id_in_path.hpp"

namespace sluice::api {
namespace {

ItemDraft read_item_draft(JsonReader& in) {
    ItemDraft wish;
    wish.title = in.text("title");
    wish.description = in.text("description");
    wish.image_url = in.text("image_url");
    wish.list_price_cents = in.whole_number("list_price_cents");
    wish.currency = in.text("currency");
    wish.category = in.text("category");
    wish.pictures = in.texts("pictures");
    return wish;
}

}  // namespace

http::Pending AdminItems::create(http::Exchange& exchange) {
    JsonReader in(exchange);
    auto wish = read_item_draft(in);
    if (!in.finish()) return std::nullopt;
    std::optional<Receipt> receipt;
    if (!receipts_.make(exchange, exchange.caller->id.text(), receipt)) return std::nullopt;
    return add(exchange, std::move(wish), std::move(receipt));
}

Task<> AdminItems::add(http::Exchange& exchange, ItemDraft wish, std::optional<Receipt> receipt) {
    const bool replayed = co_await receipts_.replay(exchange, receipt);
    if (replayed) co_return;
    const auto item = editor_.draft(wish);
    if (!item) {
        answer(exchange, item.error());
        co_return;
    }
    const DisplayedItem displayed{
        .item = std::make_shared<const Item>(*item), .sale = nullptr, .sold = 0};
    std::string body;
    append_item(body, displayed, item->created_at);
    if (receipt) receipt->answer = body;
    auto actor = actor_of(exchange);
    const auto created = co_await editor_.create(*item, std::move(actor), std::move(receipt));
    answer_created(exchange, created, std::move(body));
}

http::Pending AdminItems::edit(http::Exchange& exchange) {
    const auto id = item_in_path(exchange);
    if (!id) return std::nullopt;
    JsonReader in(exchange);
    auto wish = read_item_draft(in);
    if (!in.finish()) return std::nullopt;
    return show_after(exchange, *id, editor_.edit(*id, std::move(wish), actor_of(exchange)));
}

http::Pending AdminItems::archive(http::Exchange& exchange) {
    return shelve(exchange, &ItemEditor::archive);
}

http::Pending AdminItems::restore(http::Exchange& exchange) {
    return shelve(exchange, &ItemEditor::restore);
}

http::Pending AdminItems::shelve(http::Exchange& exchange, Shelve how) {
    const auto id = item_in_path(exchange);
    if (!id) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return show_after(exchange, *id, (editor_.*how)(*id, actor_of(exchange)));
}

std::optional<ItemId> AdminItems::item_in_path(http::Exchange& exchange) const {
    const auto id = gate::find_id_in_path<ItemId>(exchange);
    if (id && catalog_.item(*id)) return id;
    exchange.refuse(http::Code::not_found);
    return std::nullopt;
}

Task<> AdminItems::show_after(http::Exchange& exchange, ItemId id, Task<Outcome<Item>> change) {
    const auto item = co_await std::move(change);
    if (!item) {
        answer(exchange, item.error());
        co_return;
    }
    const auto now = clock_.now();
    append_item(exchange.response.body, *catalog_.displayed_item(id, now), now);
}

}  // namespace sluice::api
