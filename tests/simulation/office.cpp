#include "simulation/office.hpp"

#include <array>

#include "simulation/population.hpp"
#include "simulation/world.hpp"

/// What the operator does in a world.
namespace sluice::simulation {
namespace {

using std::chrono::seconds;

Subject about(SaleId sale) {
    Subject subject{};
    subject.question = Question::operate;
    subject.sale = sale;
    subject.buyer = kOperator;
    return subject;
}

Task<> refund(GiveBack& give_back, OrderId order) {
    const Actor actor{.id = kOperator, .address = "", .request_id = ""};
    co_await give_back.refund(order, actor);
}

}  // namespace

void World::operate() {
    const auto sale = chance_.pick(sales_);
    constexpr std::array<int, 8> weights{6, 3, 4, 1, 2, 2, 1, 4};
    switch (chance_.weighted(weights)) {
        case 0: {
            auto delta = chance_.between(-3, 3);
            if (delta == 0) delta = 1;
            return post("restock by " + std::to_string(delta), sale, "restock",
                        "{\"delta\":" + std::to_string(delta) + "}", true);
        }
        case 1:
            return post("pause", sale, "pause", "", false);
        case 2:
            return post("resume", sale, "resume", "", false);
        case 3:
            return post("end", sale, "end", "", false);
        case 4: {
            const auto ends_at = clock_.now() + seconds{chance_.between(5, 60)};
            return edit(sale, "{\"ends_at\":\"" + to_rfc3339(ends_at) + "\"}", false);
        }
        case 5: {
            auto body = "{\"limit_per_buyer\":" + std::to_string(chance_.between(1, 3));
            const bool with_stock = chance_.one_in(2);
            if (with_stock) body += ",\"stock\":" + std::to_string(chance_.between(0, 5));
            return edit(sale, body + "}", with_stock);
        }
        case 6:
            return limit_anew();
        default:
            return refund_some_order();
    }
}

void World::post(const std::string& what, SaleId sale, std::string path, std::string body,
                 bool asks_for_stock) {
    tell("the operator: " + what + " sale " + sale.text());
    send({.method = http::Method::post,
          .path = "/api/v1/admin/sales/" + sale.text() + "/" + path,
          .caller = kOperator,
          .id = request_id(step_, asks_for_stock),
          .key = "",
          .body = std::move(body)},
         about(sale), {});
}

void World::edit(SaleId sale, std::string body, bool asks_for_stock) {
    tell("the operator: edit sale " + sale.text() + " " + body);
    send({.method = http::Method::put,
          .path = "/api/v1/admin/sales/" + sale.text(),
          .caller = kOperator,
          .id = request_id(step_, asks_for_stock),
          .key = "",
          .body = std::move(body)},
         about(sale), {});
}

void World::refund_some_order() {
    if (promises_.orders().empty()) return;
    const auto order = chance_.pick(promises_.orders()).first;
    tell("the operator: refund order " + order.text());
    process_->schedule.start(bear_outage(refund(process_->line.give_back, order)));
}

void World::limit_anew() {
    pace_ = Pace::draw(chance_);
    tell("the operator: " + std::to_string(pace_.quota().burst) + " at once, then one in " +
         std::to_string(pace_.quota().interval) + " us");
}

}  // namespace sluice::simulation
