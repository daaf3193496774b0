#include <algorithm>

#include "simulation/population.hpp"
#include "simulation/world.hpp"

/// What buyers do in a world.
namespace sluice::simulation {
namespace {

using std::chrono::milliseconds;

// A stranger's number has the highest bit, so that it is never that of somebody else.
std::uint64_t key_of(UserId buyer) {
    return static_cast<std::uint64_t>(buyer.value) * 0x9E37'79B9'7F4A'7C15 >> 1;
}
std::uint64_t key_of_stranger(std::int64_t chance) {
    return static_cast<std::uint64_t>(chance) | std::uint64_t{1} << 63;
}

std::string sale_path(SaleId sale) {
    return "/api/v1/sales/" + sale.text();
}

std::string body_of(const SentWish& wish) {
    if (wish.quantity == 1) return "";
    return "{\"quantity\":" + std::to_string(wish.quantity) + "}";
}

}  // namespace

UserId World::some_buyer() {
    return UserId{chance_.between(kFirstBuyer, kLastUser)};
}

void World::buy() {
    const auto wish = make_wish();
    if (!wish || is_too_fast(wish->buyer)) return;
    wishes_.push_back(*wish);
    buy(*wish);
}

void World::buy(const SentWish& wish) {
    Subject subject{};
    subject.question = Question::buy;
    subject.sale = wish.sale;
    subject.buyer = wish.buyer;
    subject.quantity = wish.quantity;
    for (const auto& pass : passes_)
        if (pass.text == wish.pass && pass.buyer == wish.buyer)
            subject.pass_expires = pass.expires_at;
    if (!wish.key.empty()) {
        auto& quantities = quantities_[{wish.buyer, wish.sale, wish.key}];
        if (!quantities) quantities = std::make_shared<std::set<std::int64_t>>();
        quantities->insert(wish.quantity);
        subject.quantities = quantities;
    }
    tell("buyer " + wish.buyer.text() + " wants " + std::to_string(wish.quantity) + " of sale " +
         wish.sale.text() + ", pass " + wish.pass.substr(11, 6) + " key " + wish.key);
    promises_.note_attempt(wish, clock_.now());
    // Somebody else's pass opens nothing, whatever comes with it.
    const bool promised = subject.pass_expires && !promises_.is_tampered(wish.sale, wish.buyer) &&
                          promises_.was_promised(wish);
    send({.method = http::Method::post,
          .path = sale_path(wish.sale) + "/orders/" + wish.pass,
          .caller = wish.buyer,
          .id = "",
          .key = wish.key,
          .body = body_of(wish)},
         subject, [this, wish, promised](const Answer& answer) {
             hear_of_purchase(wish, promised, answer);
         });
}

void World::hear_of_purchase(const SentWish& wish, bool promised, const Answer& answer) {
    if (const auto ticket = answer.ticket()) named_.emplace_back(*ticket, wish.buyer);
    if (answer.status == 201) return promises_.note_yes(wish, answer, process_->marks());
    if (!answer.problem) return promises_.break_with("a purchase is neither taken nor refused");
    promises_.note_no(wish, *answer.problem, promised);
    if (at_rest_) promises_.note_no_at_rest(wish, *answer.problem);
}

/// Whoever was told "come again" and does so without faults gets an answer at last.
void World::send_again() {
    for (std::size_t i = 0; i < std::min<std::size_t>(wishes_.size(), 6); ++i) {
        if (promises_.broken()) return;
        const auto wish = chance_.pick(wishes_);
        // They wait only once: they are told to wait, do so, and are let in then.
        if (is_too_fast(wish.buyer)) is_too_fast(wish.buyer);
        buy(wish);
        drain();
    }
}

/// An earlier wish again, or one with any pass of the buyer; sometimes with somebody else's.
std::optional<SentWish> World::make_wish() {
    if (!wishes_.empty() && chance_.one_in(3)) return chance_.pick(wishes_);
    if (passes_.empty()) return std::nullopt;
    const auto& pass = chance_.one_in(2) ? passes_.back() : chance_.pick(passes_);
    SentWish wish;
    wish.buyer = chance_.one_in(30) ? some_buyer() : pass.buyer;
    wish.sale = pass.sale;
    wish.quantity = chance_.one_in(4) ? 2 : 1;
    if (chance_.one_in(3)) wish.key = chance_.one_in(2) ? "a" : "b";
    wish.pass = pass.text;
    return wish;
}

void World::ask_for_pass() {
    const auto buyer = some_buyer();
    const auto sale = chance_.pick(sales_);
    const auto taken_before = process_->desk.places().places(sale);
    const auto most_places = [=, this] {
        const auto left = std::max<std::int64_t>(process_->hot().glance(sale, buyer).left, 0);
        const auto shown = process_->catalog.sale(sale);
        return shown ? left * shown->sale.gate_factor : 0;
    };
    // Units may come back and be claimed while the desk is asked.
    const auto places = watched_.watch(most_places);
    Subject subject{};
    subject.question = Question::pass;
    subject.sale = sale;
    subject.buyer = buyer;
    subject.has_asked_before = !asked_.emplace(buyer, sale).second;
    send({.method = http::Method::post,
          .path = sale_path(sale) + "/passes",
          .caller = buyer,
          .id = "",
          .key = "",
          .body = ""},
         subject, [=, this](const Answer& answer) {
             if (answer.problem == http::Code::limit_reached)
                 if (const auto ticket = answer.ticket()) named_.emplace_back(*ticket, buyer);
             if (answer.status != 201) return;
             const auto expires_at = parse_rfc3339(answer.text("expires_at")).value();
             passes_.push_back({buyer, sale, answer.text("pass"), expires_at});
             const auto taken = process_->desk.places().places(sale);
             if (taken > taken_before) promises_.note_places(sale, taken, *places);
         });
}

void World::look_at_ticket() {
    const auto [ticket, buyer] = chance_.pick(named_);
    Subject subject{};
    subject.question = Question::ticket;
    subject.sale = ticket.sale;
    subject.buyer = buyer;
    subject.ticket = ticket;
    send({.method = http::Method::get,
          .path = "/api/v1/tickets/" + ticket.text(),
          .caller = buyer,
          .id = "",
          .key = "",
          .body = ""},
         subject, [this, ticket](const Answer& answer) {
             if (answer.status == 200) promises_.note_ticket(ticket, answer);
         });
}

void World::look_at_latest_ticket() {
    Subject subject{};
    subject.question = Question::my_ticket;
    subject.sale = chance_.pick(sales_);
    subject.buyer = some_buyer();
    send({.method = http::Method::get,
          .path = sale_path(subject.sale) + "/ticket",
          .caller = subject.buyer,
          .id = "",
          .key = "",
          .body = ""},
         subject, [this](const Answer& answer) {
             if (answer.status == 200) promises_.note_ticket(answer.ticket().value(), answer);
         });
}

void World::look_at_order() {
    const auto [order, buyer] = chance_.pick(promises_.orders());
    Subject subject{};
    subject.question = Question::order;
    subject.sale = promises_.shelf().orders.at(order).sale_id;
    subject.buyer = buyer;
    subject.order = order;
    send({.method = http::Method::get,
          .path = "/api/v1/orders/" + order.text(),
          .caller = buyer,
          .id = "",
          .key = "",
          .body = ""},
         subject, {});
}

void World::look_at_sale() {
    Subject subject{};
    subject.question = Question::sale;
    subject.sale = chance_.pick(sales_);
    subject.buyer = some_buyer();
    send({.method = http::Method::get,
          .path = sale_path(subject.sale),
          .caller = subject.buyer,
          .id = "",
          .key = "",
          .body = ""},
         subject, [this, id = subject.sale](const Answer& answer) {
             const auto& sale = promises_.shelf().sales.at(id);
             // Until the news of a commit are out, the window shows what was before it.
             if (store_.has_unpublished() || process_->catalog.sale(id)->sale != sale) return;
             const auto state = to_string(state_at(sale, clock_.now()));
             if (answer.text("state") != state)
                 promises_.break_with("sale " + id.text() + " is " + std::string(state) +
                                      ", and the shop window says " + answer.text("state"));
         });
}

void World::cancel() {
    if (promises_.orders().empty()) return;
    const auto [order, buyer] = chance_.pick(promises_.orders());
    Subject subject{};
    subject.question = Question::cancel;
    subject.sale = promises_.shelf().orders.at(order).sale_id;
    subject.buyer = buyer;
    subject.order = order;
    tell("buyer " + buyer.text() + " cancels order " + order.text());
    send({.method = http::Method::post,
          .path = "/api/v1/orders/" + order.text() + "/cancel",
          .caller = buyer,
          .id = "",
          .key = "",
          .body = ""},
         subject, {});
}

/// Counts the buyer unless they are counted already.
bool World::is_too_fast(UserId buyer) {
    const auto wait = process_->limiter.count(key_of(buyer), pace_.quota()).wait;
    const auto broken = wait.count() > 0 ? pace_.note_told_to_wait(buyer, clock_.now(), wait)
                                         : pace_.note_let_in(buyer, clock_.now());
    if (broken) promises_.break_with(*broken);
    if (wait.count() == 0) return false;
    tell("buyer " + buyer.text() + " is too fast by " + std::to_string(wait.count()) + " us");
    if (at_rest_) clock_.move(std::chrono::ceil<milliseconds>(wait));
    return true;
}

void World::flood() {
    const auto strangers = chance_.between(4, 40);
    tell(std::to_string(strangers) + " strangers knock");
    for (std::int64_t i = 0; i < strangers; ++i)
        process_->limiter.count(key_of_stranger(chance_.between(0, 1L << 62)), pace_.quota());
}

}  // namespace sluice::simulation
