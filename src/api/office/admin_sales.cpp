#include "api/office/admin_sales.hpp"

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "api/shop/shop_window.hpp"

namespace sluice::api {
namespace {

SaleDraft read_sale_draft(JsonReader& in) {
    SaleDraft wish;
    wish.kind = in.word("kind", parse_sale_kind, "flash, standing");
    wish.price_cents = in.whole_number("price_cents");
    wish.starts_at = in.time("starts_at");
    wish.ends_at = in.time_or_null("ends_at");
    wish.stock = in.whole_number("stock");
    wish.limit_per_buyer = in.whole_number("limit_per_buyer");
    wish.hold_seconds = in.whole_number("hold_seconds");
    wish.challenge = in.word("challenge", parse_challenge, "none, math, pow");
    wish.challenge_alternative =
        in.word("challenge_alternative", parse_challenge_alternative, "none, pow");
    wish.challenge_bits = in.whole_number_or_null("challenge_bits");
    wish.gate_factor = in.whole_number("gate_factor");
    wish.unpaid_limit = in.whole_number("unpaid_limit");
    wish.name = in.text("name");
    wish.campaign = in.text("campaign");
    wish.tags = in.texts("tags");
    wish.audience = in.word("audience", parse_audience, "everyone, listed, listed_first");
    wish.listed_until = in.time_or_null("listed_until");
    return wish;
}

}  // namespace

http::Pending AdminSales::create(http::Exchange& exchange) {
    JsonReader in(exchange);
    const auto item_text = in.required_text("item_id");
    auto wish = read_sale_draft(in);
    if (!in.finish()) return std::nullopt;
    std::optional<Receipt> receipt;
    if (!receipts_.make(exchange, exchange.caller->id.text(), receipt)) return std::nullopt;
    const auto item = ItemId::parse(item_text).value_or(ItemId{});
    return add(exchange, item, std::move(wish), std::move(receipt));
}

Task<> AdminSales::add(http::Exchange& exchange, ItemId item, SaleDraft wish,
                       std::optional<Receipt> receipt) {
    const bool replayed = co_await receipts_.replay(exchange, receipt);
    if (replayed) co_return;
    const auto sale = editor_.draft(item, wish);
    if (!sale) {
        answer(exchange, sale.error());
        co_return;
    }
    std::string body;
    append_sale(body, *display_sale(*sale, catalog_.item(item), std::make_shared<LiveStock>(*sale)),
                sale->created_at);
    if (receipt) receipt->answer = body;
    auto actor = actor_of(exchange);
    const auto created = co_await editor_.create(*sale, std::move(actor), std::move(receipt));
    answer_created(exchange, created, std::move(body));
}

http::Pending AdminSales::edit(http::Exchange& exchange) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    JsonReader in(exchange);
    const auto item_text = in.text("item_id");
    auto wish = read_sale_draft(in);
    if (item_text && *item_text != sale->sale.item_id.text()) in.complain("item_id", Rule::fixed);
    if (!in.finish()) return std::nullopt;
    return show_after(exchange, editor_.edit(sale->sale.id, std::move(wish), actor_of(exchange)));
}

http::Pending AdminSales::pause(http::Exchange& exchange) {
    return steer(exchange, &SaleEditor::pause);
}

http::Pending AdminSales::resume(http::Exchange& exchange) {
    return steer(exchange, &SaleEditor::resume);
}

http::Pending AdminSales::end(http::Exchange& exchange) {
    return steer(exchange, &SaleEditor::end);
}

http::Pending AdminSales::steer(http::Exchange& exchange, Steer how) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    return show_after(exchange, (editor_.*how)(sale->sale.id, actor_of(exchange)));
}

http::Pending AdminSales::restock(http::Exchange& exchange) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    JsonReader in(exchange);
    const auto delta = in.whole_number("delta");
    if (!delta) in.complain("delta", Rule::missing);
    if (!in.finish()) return std::nullopt;
    // The change is relative: when its reply is lost, it must not be made a second time.
    std::optional<Receipt> receipt;
    if (!receipts_.make(exchange, exchange.caller->id.text() + " " + sale->sale.id.text(), receipt))
        return std::nullopt;
    return show_after(
        exchange, editor_.restock(sale->sale.id, *delta, actor_of(exchange), std::move(receipt)));
}

Task<> AdminSales::show_after(http::Exchange& exchange, Task<Outcome<SaleId>> change) {
    const auto done = co_await std::move(change);
    if (!done) {
        answer(exchange, done.error());
        co_return;
    }
    append_sale(exchange.response.body, *catalog_.sale(*done), clock_.now());
}

}  // namespace sluice::api
