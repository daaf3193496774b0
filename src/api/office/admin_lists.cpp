#include "api/office/admin_lists.hpp"

#include "api/answers.hpp"
#include "api/in_path.hpp"
#include "api/json_reader.hpp"
#include "base/csv.hpp"

namespace sluice::api {
namespace {

/// After so many seconds another export may have ended.
constexpr int kRetryAfter = 10;

/// text/csv, in no other charset than UTF-8 and not compressed.
bool sends_csv(const http::Request& request) {
    const auto type = request.header("Content-Type");
    const auto encoding = request.header("Content-Encoding");
    auto name = type.substr(0, type.find(';'));
    while (name.ends_with(' ')) name.remove_suffix(1);
    const bool is_plain = encoding.empty() || http::equals_ignoring_case(encoding, "identity");
    const auto charset = type.find("charset=");
    const bool is_utf8 = charset == type.npos ||
                         http::equals_ignoring_case(type.substr(charset, 13), "charset=utf-8");
    return is_plain && is_utf8 && http::equals_ignoring_case(name, "text/csv");
}

boost::json::object to_json(SaleId sale, const ListCounts& counts) {
    return {{"sale_id", sale.text()},
            {"listed", counts.listed},
            {"phones", counts.phones},
            {"ids", counts.listed - counts.phones},
            {"most", kMostListed}};
}

/// A list page by page: each is read when the client has taken the one before.
class Pages {
  public:
    explicit Pages(std::unique_ptr<BuyerListEditor::Walk> walk) : walk_(std::move(walk)) {}

    /// Called before the answer begins, while an outage can still be answered with a problem.
    Task<> read_first() { buyers_ = co_await walk_->next(); }

    Task<bool> next(std::string& out) {
        if (headed_)
            buyers_ = co_await walk_->next();
        else
            append_csv_row(out, {"phone_or_id"});
        headed_ = true;
        for (const auto& buyer : buyers_) {
            const auto* phone = std::get_if<std::string>(&buyer);
            append_csv_row(out, {phone ? *phone : std::get<UserId>(buyer).text()});
        }
        co_return buyers_.size() == BuyerListEditor::kPage;
    }

  private:
    std::unique_ptr<BuyerListEditor::Walk> walk_;
    std::vector<ListedBuyer> buyers_;
    bool headed_ = false;
};

void describe(http::Exchange& exchange, SaleId sale) {
    exchange.response.content_type = "text/csv; charset=utf-8; header=present";
    exchange.response.add_header("Content-Disposition",
                                 "attachment; filename=\"list-" + sale.text() + ".csv\"");
}

}  // namespace

http::Pending AdminLists::show(http::Exchange& exchange) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    return look_up(exchange, sale->sale.id);
}

Task<> AdminLists::look_up(http::Exchange& exchange, SaleId sale) {
    const auto list = co_await editor_.show(sale);
    auto json = to_json(sale, list.counts);
    json["changed_at"] = time_or_null(list.changed_at);
    answer(exchange, 200, json);
}

http::Pending AdminLists::replace(http::Exchange& exchange) {
    return upload(exchange, BuyerListEditor::How::replace);
}

http::Pending AdminLists::extend(http::Exchange& exchange) {
    return upload(exchange, BuyerListEditor::How::append);
}

http::Pending AdminLists::upload(http::Exchange& exchange, BuyerListEditor::How how) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    if (!sends_csv(exchange.request)) {
        answer(exchange, http::Code::unsupported_media_type, Remark::send_csv);
        return std::nullopt;
    }
    const auto id = sale->sale.id;
    return show_after(exchange, id,
                      editor_.upload({id, how}, exchange.request.body, actor_of(exchange)));
}

http::Pending AdminLists::clear(http::Exchange& exchange) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    JsonReader in(exchange, true);
    if (!in.finish()) return std::nullopt;
    const auto id = sale->sale.id;
    return show_after(exchange, id, editor_.clear(id, actor_of(exchange)));
}

Task<> AdminLists::show_after(http::Exchange& exchange, SaleId sale,
                              Task<Outcome<BuyerListEditor::Changed>> change) {
    const auto changed = co_await std::move(change);
    if (!changed) {
        answer(exchange, changed.error());
        co_return;
    }
    auto json = to_json(sale, changed->after);
    json["given"] = changed->given;
    json["before"] = changed->before.listed;
    answer(exchange, 200, json);
}

http::Pending AdminLists::download(http::Exchange& exchange) {
    const auto sale = sale_in_path(exchange, catalog_);
    if (!sale) return std::nullopt;
    if (exchange.request.method != http::Method::head)
        return begin_download(exchange, sale->sale.id);
    describe(exchange, sale->sale.id);
    exchange.response.send_in_pieces({});
    return std::nullopt;
}

Task<> AdminLists::begin_download(http::Exchange& exchange, SaleId sale) {
    auto actor = actor_of(exchange);
    auto walk = co_await editor_.begin_export(sale, std::move(actor));
    if (!walk) {
        http::write_retry_after(exchange.response, kRetryAfter);
        answer(exchange, http::Code::busy, Remark::too_many_exports);
        co_return;
    }
    auto pages = std::make_unique<Pages>(std::move(walk));
    co_await pages->read_first();
    describe(exchange, sale);
    exchange.response.send_in_pieces(
        [pages = std::move(pages)](std::string& out) { return pages->next(out); });
}

}  // namespace sluice::api
