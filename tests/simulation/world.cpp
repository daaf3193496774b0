#include "simulation/world.hpp"

#include <algorithm>
#include <array>

#include <boost/asio/co_spawn.hpp>

#include "base/outage.hpp"

namespace sluice::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kMostUnderWay = 24;
constexpr std::int64_t kBuyers = 5;

Caller caller(UserId id) {
    Caller caller;
    caller.id = id;
    caller.session = SessionKey{static_cast<unsigned char>(id.value)};
    return caller;
}

// A stranger's has the highest bit, so that nobody is taken for somebody else.
std::uint64_t key_of(UserId buyer) {
    return static_cast<std::uint64_t>(buyer.value) * 0x9E37'79B9'7F4A'7C15 >> 1;
}
std::uint64_t key_of_stranger(std::int64_t chance) {
    return static_cast<std::uint64_t>(chance) | std::uint64_t{1} << 63;
}

gate::Quota draw_quota(Chance& chance) {
    const auto interval = chance.pick<std::uint32_t>({100'000, 1'000'000, 3'000'000, 7'000'001});
    return {.interval = interval, .burst = static_cast<std::uint32_t>(chance.between(3, 12))};
}

Actor operator_at_work() {
    return {.id = UserId{1}, .address = "", .request_id = ""};
}

template <class T>
Task<> ignore_answer(Task<Outcome<T>> task) {
    co_await std::move(task);
}

}  // namespace

std::string Failure::text() const {
    std::string text = "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ": " +
                       what + "\nthe last events:\n";
    for (const auto& event : last_events) text += "  " + event + "\n";
    return text + "see it again with: ./dev simulate --seed " + std::to_string(seed) +
           " --runs 1\n";
}

World::World(std::uint64_t seed, Plant plant, std::size_t events_kept)
    : seed_(seed),
      plant_(plant),
      events_kept_(events_kept),
      chance_(seed),
      promises_(store_, bank_),
      pace_(draw_quota(chance_)) {
    process_ = std::make_unique<Process>(store_, bank_, chance_, clock_, plant_, ++processes_);
    open_sales();
}

std::optional<Failure> World::run() {
    const auto steps = chance_.between(60, 300);
    for (step_ = 1; step_ <= steps; ++step_) {
        act();
        promises_.check(*process_);
        if (promises_.broken()) return failure();
    }
    come_to_rest();
    return failure();
}

void World::open_sales() {
    const auto now = clock_.now();
    const auto count = chance_.between(1, 3);
    process_->schedule.set_calm(true);
    for (std::int64_t i = 0; i < count; ++i) {
        SaleDraft wish;
        wish.price_cents = 99;
        wish.stock = chance_.between(1, 4);
        wish.limit_per_buyer = chance_.between(1, 3);
        wish.gate_factor = chance_.between(1, 4);
        wish.hold_seconds = chance_.pick<int>({20, 900, 900});
        wish.starts_at = now + seconds{chance_.pick<int>({-10, 0, 0, 0, 20})};
        const int length = chance_.pick<int>({0, 30, 60, 120});
        wish.ends_at = std::optional<Timestamp>();
        if (length > 0) wish.ends_at = now + seconds{20 + length};
        const auto sale = process_->editor.draft(ItemId{1}, wish).value();
        sales_.push_back(sale.id);
        process_->schedule.start(
            ignore_answer(process_->editor.create(sale, operator_at_work(), std::nullopt)));
        process_->schedule.settle_down();
    }
    process_->schedule.set_calm(false);
}

void World::act() {
    auto& schedule = process_->schedule;
    const bool room = schedule.size() < kMostUnderWay;
    enum {
        goes_on,
        buys,
        cancels,
        pays,
        tells,
        expires,
        sends_back,
        operates,
        clock,
        reaps,
        refills,
        reloads,
        heals,
        floods,
        crashes
    };
    const bool sold = !promises_.orders().empty();
    const std::array<int, 15> weights{schedule.is_empty() ? 0 : 60,
                                      room ? 16 : 0,
                                      room ? 3 : 0,
                                      room && sold ? 16 : 0,
                                      room && bank_.has_payments() ? 20 : 0,
                                      room ? 3 : 0,
                                      room ? 2 : 0,
                                      room ? 4 : 0,
                                      5,
                                      room ? 3 : 0,
                                      room ? 3 : 0,
                                      room ? 1 : 0,
                                      2,
                                      2,
                                      1};
    switch (chance_.weighted(weights)) {
        case goes_on:
            tell(schedule.step());
            break;
        case buys:
            buy();
            break;
        case cancels:
            cancel();
            break;
        case pays:
            pay();
            break;
        case tells:
            bank_tells();
            break;
        case expires:
            expire();
            break;
        case sends_back:
            send_back_money();
            break;
        case operates:
            operate();
            break;
        case clock:
            move_clock();
            break;
        case reaps:
            reap();
            break;
        case refills:
            refill();
            break;
        case reloads:
            tell("the catalog is read again");
            schedule.start(bear_outage(process_->catalog.reload()));
            break;
        case heals:
            tell("the flags are looked behind");
            process_->heal_flags();
            break;
        case floods:
            flood();
            break;
        default:
            crash();
    }
    process_->schedule.settle_down();
}

void World::come_to_rest() {
    process_->schedule.end_faults();
    drain();
    // Once for what was under way, and once for what only now has nobody to look after it.
    for (int round = 0; round < 2 && !promises_.broken(); ++round) {
        clock_.move(ClaimReaper::kPatience + seconds{1});
        reap();
        drain();
    }
    settle_money();
    process_->schedule.start(process_->compare_copies());
    drain();
    if (const auto drift = process_->unexplained_drift()) promises_.break_with(*drift);
    at_rest_ = true;
    process_->heal_flags();
    tell("at rest");
    send_again();
    if (!promises_.broken()) promises_.check_at_rest(*process_, clock_.now());
}

/// A bank tells until it is heard, and what is owed is asked for until it is taken.
void World::settle_money() {
    for (std::size_t event = 0; event < bank_.size() && !promises_.broken(); ++event) {
        if (bank_.was_heard(event)) continue;
        tell_shop(event);
        drain();
    }
    for (int round = 0; round < 2 && !promises_.broken(); ++round) {
        clock_.move(Refunder::kLongestPause);
        expire();
        send_back_money();
        drain();
    }
}

/// Whoever heard "come again" and does so when all is well gets an answer at last.
void World::send_again() {
    for (std::size_t i = 0; i < std::min<std::size_t>(wishes_.size(), 6); ++i) {
        if (promises_.broken()) return;
        const auto wish = chance_.pick(wishes_);
        // Once: told to wait, they wait, and then they are let in.
        if (is_too_fast(wish.buyer)) is_too_fast(wish.buyer);
        send(wish);
        drain();
    }
}

void World::drain() {
    process_->schedule.settle_down();
    while (!process_->schedule.is_empty() && !promises_.broken()) {
        ++step_;
        tell(process_->schedule.step());
        promises_.check(*process_);
    }
}

void World::buy() {
    auto wish = make_wish();
    if (wish.pass.empty() || is_too_fast(wish.buyer)) return;
    wishes_.push_back(wish);
    send(wish);
}

/// Counts the buyer, unless that is so.
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

void World::limit_anew() {
    pace_ = Pace(draw_quota(chance_));
    tell("the operator: " + std::to_string(pace_.quota().burst) + " at once, then one in " +
         std::to_string(pace_.quota().interval) + " us");
}

void World::send(const SentWish& wish) {
    const auto buyer = caller(wish.buyer);
    const bool promised = promises_.was_promised(wish);
    const auto attempt = process_->turnstile.consider(
        {.sale = wish.sale, .pass = wish.pass, .key = wish.key, .quantity = wish.quantity}, buyer);
    tell("buyer " + wish.buyer.text() + " wants " + std::to_string(wish.quantity) + " of sale " +
         wish.sale.text() + ", pass " + wish.pass.substr(11, 6) + " key " + wish.key +
         (attempt ? " ticket " + short_name(attempt->ticket.id) : ": no"));
    if (!attempt) return promises_.note_no(wish, attempt.error().reason, promised);
    promises_.note_attempt(wish, clock_.now());
    process_->schedule.start(bear_outage(carry_out(wish, *attempt, promised)));
}

SentWish World::make_wish() {
    if (!wishes_.empty() && chance_.one_in(3)) return chance_.pick(wishes_);
    SentWish wish;
    wish.buyer = UserId{chance_.between(2, 1 + kBuyers)};
    wish.sale = chance_.pick(sales_);
    wish.quantity = chance_.one_in(4) ? 2 : 1;
    if (chance_.one_in(3)) wish.key = chance_.one_in(2) ? "a" : "b";
    wish.pass = find_pass(caller(wish.buyer), wish.sale).value_or("");
    return wish;
}

/// A new one as the counter gives it, or one that the buyer has.
std::optional<std::string> World::find_pass(const Caller& buyer, SaleId id) {
    std::vector<std::string> mine;
    for (const auto& pass : passes_)
        if (pass.buyer == buyer.id && pass.sale == id) mine.push_back(pass.text);
    if (!mine.empty() && chance_.one_in(2)) return chance_.pick(mine);

    const auto& sale = process_->catalog.sale(id)->sale;
    const auto glance = process_->gate.glance(id, buyer.id);
    const auto places = std::max<std::int64_t>(glance.left, 0) * sale.gate_factor;
    const auto before = process_->desk.places(id);
    const auto allowed =
        plant_ == Plant::gate_by_total ? sale.stock.total * sale.gate_factor : places;
    const auto issued = process_->desk.issue(buyer, id, allowed, clock_.now());
    if (!issued) return std::nullopt;
    const auto after = process_->desk.places(id);
    if (after > before) promises_.note_places(id, after, places);
    passes_.push_back({buyer.id, id, issued->pass});
    return issued->pass;
}

Task<> World::carry_out(SentWish wish, Purchase::Attempt attempt, bool promised) {
    const auto key = attempt.ticket.key;
    const auto outcome = co_await process_->purchase.carry_out(std::move(attempt));
    if (outcome) {
        tell("buyer " + wish.buyer.text() + " hears yes, ticket " + short_name(outcome->id));
        promises_.note_yes(wish, *outcome, key && outcome->key == key);
    } else {
        const auto reason = outcome.error().reason;
        tell("buyer " + wish.buyer.text() + " hears no, reason " +
             std::to_string(static_cast<int>(reason)));
        promises_.note_no(wish, reason, promised);
        if (at_rest_) promises_.note_no_at_rest(wish, reason);
    }
}

Task<> World::bear_outage(Task<> task) {
    try {
        co_await std::move(task);
    } catch (const Outage&) {
        tell("somebody hears that the ledger is away");
    }
}

void World::cancel() {
    if (promises_.orders().empty()) return;
    const auto [order, buyer] = chance_.pick(promises_.orders());
    tell("buyer " + buyer.text() + " cancels order " + order.text());
    process_->schedule.start(bear_outage(ignore_answer(process_->give_back.cancel(order, buyer))));
}

void World::pay() {
    if (promises_.orders().empty()) return;
    const auto [order, buyer] = chance_.pick(promises_.orders());
    tell("buyer " + buyer.text() + " pays order " + order.text());
    process_->schedule.start(bear_outage(begin_payment(order, buyer)));
}

Task<> World::begin_payment(OrderId order, UserId buyer) {
    auto begun = co_await process_->pay.begin(order, buyer);
    if (!begun) co_return;
    co_await process_->pay.keep(std::move(*begun), std::nullopt);
}

/// Something new, or something told before, heard or not.
void World::bank_tells() {
    if (!bank_.has_payments()) return;
    const bool again = bank_.size() > 0 && chance_.one_in(3);
    tell_shop(again ? bank_.some_event(chance_) : bank_.happen(chance_));
}

void World::tell_shop(std::size_t event) {
    const auto& told = bank_.event(event);
    tell("the bank tells " + told.id + ": " + std::string(to_string(told.type)) + " of payment " +
         told.payment.text());
    process_->schedule.start(bear_outage(hear(event)));
}

Task<> World::hear(std::size_t event) {
    const auto outcome = co_await process_->hear_payment.hear(bank_.event(event));
    if (!outcome) co_return promises_.break_with("the shop does not know a payment of its own");
    bank_.hear(event);
    tell(bank_.event(event).id + " was " + std::string(to_string(*outcome)));
}

void World::expire() {
    tell("the expirer goes round");
    auto round = [](HoldExpirer& expirer) -> Task<> { co_await expirer.expire_due(); };
    process_->schedule.start(bear_outage(round(process_->expirer)));
}

void World::send_back_money() {
    tell("the refunder goes round");
    process_->schedule.start(bear_outage(process_->refunder.refund_due()));
}

void World::operate() {
    const auto id = chance_.pick(sales_);
    auto& editor = process_->editor;
    auto& schedule = process_->schedule;
    const auto begin = [&](const std::string& what, auto task) {
        tell("the operator: " + what + " sale " + id.text());
        schedule.start(bear_outage(ignore_answer(std::move(task))));
    };
    constexpr std::array<int, 8> weights{6, 3, 4, 1, 2, 2, 1, 4};
    switch (chance_.weighted(weights)) {
        case 0: {
            const auto delta = chance_.between(-3, 3);
            begin("restock by " + std::to_string(delta),
                  editor.restock(id, delta, operator_at_work(), {}));
            break;
        }
        case 1:
            begin("pause", editor.pause(id, operator_at_work()));
            break;
        case 2:
            begin("resume", editor.resume(id, operator_at_work()));
            break;
        case 3:
            begin("end", editor.end(id, operator_at_work()));
            break;
        case 4: {
            SaleDraft wish;
            wish.ends_at = clock_.now() + seconds{chance_.between(5, 60)};
            begin("move the end of", editor.edit(id, wish, operator_at_work()));
            break;
        }
        case 5: {
            SaleDraft wish;
            wish.limit_per_buyer = chance_.between(1, 3);
            if (chance_.one_in(2)) wish.stock = chance_.between(0, 5);
            begin("edit", editor.edit(id, wish, operator_at_work()));
            break;
        }
        case 6:
            limit_anew();
            break;
        default: {
            if (promises_.orders().empty()) return;
            const auto order = chance_.pick(promises_.orders()).first;
            begin("refund order " + order.text() + " in",
                  process_->give_back.refund(order, operator_at_work()));
        }
    }
}

void World::move_clock() {
    std::vector<milliseconds> moves{milliseconds{1}, seconds{1}, seconds{6}, seconds{12}};
    if (chance_.one_in(4)) moves.push_back(PassDesk::kLifetime);
    // The instants at which something changes, and the ones just before.
    for (const auto id : sales_) {
        const auto& sale = process_->catalog.sale(id)->sale;
        const auto aim = [&](Timestamp at) {
            for (const auto to : {at - milliseconds{1}, at})
                if (to > clock_.now()) moves.push_back(to - clock_.now());
        };
        aim(sale.starts_at);
        if (sale.ends_at) aim(*sale.ends_at);
    }
    if (const auto due = promises_.next_due(); due && chance_.one_in(4))
        for (const auto to : {*due - milliseconds{1}, *due})
            if (to > clock_.now()) moves.push_back(to - clock_.now());
    const auto by = chance_.pick(moves);
    tell("the clock moves by " + std::to_string(by.count()) + " ms");
    clock_.move(by);
}

void World::reap() {
    tell("the reaper goes round");
    process_->schedule.start(bear_outage(process_->reaper.reap_once()));
}

/// At any moment, as if it had drifted.
void World::refill() {
    const auto sale = chance_.pick(sales_);
    tell("the hot copy of sale " + sale.text() + " is filled anew");
    process_->schedule.start(bear_outage(process_->refill(sale)));
}

void World::crash() {
    tell("CRASH");
    pace_ = Pace(pace_.quota());
    process_.reset();
    process_ = std::make_unique<Process>(store_, bank_, chance_, clock_, plant_, ++processes_);
}

void World::tell(std::string event) {
    events_.push_back(std::to_string(step_) + " " + std::move(event));
    if (events_.size() > events_kept_) events_.pop_front();
}

std::optional<Failure> World::failure() const {
    if (!promises_.broken()) return std::nullopt;
    return Failure{seed_, step_, *promises_.broken(), {events_.begin(), events_.end()}};
}

}  // namespace sluice::simulation
