#include "simulation/world.hpp"

/// The clock, the background workers, and crashes.
namespace sluice::simulation {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

}  // namespace

void World::move_clock() {
    std::vector<milliseconds> moves{milliseconds{1}, seconds{1}, seconds{6}, seconds{12}};
    if (chance_.one_in(4)) moves.push_back(PassDesk::kLifetime);
    // The instants at which something changes, and the ones directly before.
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

/// Somebody sets the wall clock wrong and, soon or late, right again.
void World::step_clock() {
    auto by = -clock_.wall_is_ahead();
    if (by.count() == 0)
        by = chance_.pick<milliseconds>({hours{1}, -hours{1}, minutes{20}, -minutes{5}});
    tell("the wall clock steps by " + std::to_string(by.count()) + " ms");
    clock_.step(by);
}

void World::reap() {
    tell("the reaper goes round");
    process_->schedule.start(bear_outage(process_->claims.reaper.reap_once()));
}

/// At any moment, as if the copy had drifted.
void World::refill() {
    const auto sale = chance_.pick(sales_);
    tell("the hot copy of sale " + sale.text() + " is filled anew");
    process_->schedule.start(bear_outage(process_->refill(sale)));
}

void World::look_after_copies() {
    tell("the keeper of hot copies goes round");
    process_->schedule.start(bear_outage(process_->look_after_copies()));
}

void World::reload_catalog() {
    tell("the catalog is read again");
    process_->schedule.start(bear_outage(process_->catalog.reload()));
}

void World::heal_flags() {
    tell("the flags are looked behind");
    process_->heal_flags();
    if (const auto stale = process_->stale_flag())
        promises_.break_with("I6: sale " + stale->text() +
                             " is flagged as sold out after the flags were looked behind");
}

void World::crash() {
    const bool recover = chance_.one_in(2);
    tell(recover ? "CRASH, and what was in doubt is there" : "CRASH");
    pace_ = Pace(pace_.quota());
    store_.crash(recover);
    process_.reset();
    clock_.restart();
    const auto tampered = chance_.one_in(3) ? lose_a_holding() : std::nullopt;
    process_ = std::make_unique<Process>(store_, bank_, chance_, clock_, plant_, ++processes_);
    if (tampered) rush_with(tampered->first, tampered->second);
    if (chance_.one_in(2)) extend_by_hand();
}

/// Somebody moves the end of a sale that is over. It was over when the process began, so it has no
/// hot copy.
void World::extend_by_hand() {
    std::vector<SaleId> over;
    for (const auto& [id, sale] : promises_.shelf().sales)
        if (sale.ends_at && *sale.ends_at <= clock_.now() && !sale.ended_at) over.push_back(id);
    if (over.empty()) return;
    const auto sale = chance_.pick(over);
    tell("somebody moves the end of sale " + sale.text());
    store_.write([sale, end = clock_.now() + std::chrono::days{1}](sqlite::Database& database) {
        database.run("UPDATE sales SET ends_at = ?2, version = version + 1 WHERE id = ?1", sale,
                     end);
        return Done{};
    });
    store_.publish();
    reload_catalog();
}

/// Somebody removes a row by hand at a quiet moment. The buyer's tickets are there without it, and
/// only this buyer may notice it.
std::optional<std::pair<SaleId, UserId>> World::lose_a_holding() {
    std::vector<std::pair<SaleId, UserId>> empty;
    for (const auto& [whose, units] : promises_.shelf().holdings)
        if (units == 0) empty.push_back(whose);
    if (empty.empty()) return std::nullopt;
    const auto [sale, buyer] = chance_.pick(empty);
    tell("somebody removes the holding of buyer " + buyer.text() + " in sale " + sale.text());
    store_.write([sale, buyer](sqlite::Database& database) {
        database.run("DELETE FROM holdings WHERE sale_id = ?1 AND buyer_id = ?2 AND units = 0",
                     sale, buyer);
        return Done{};
    });
    store_.publish();
    promises_.note_tampered(sale, buyer);
    return std::pair(sale, buyer);
}

/// They send all that they sent before, and others buy at the same time.
void World::rush_with(SaleId sale, UserId buyer) {
    const auto before = wishes_;
    for (const auto& wish : before)
        if (wish.sale == sale && (wish.buyer == buyer || chance_.one_in(2))) buy(wish);
}

}  // namespace sluice::simulation
