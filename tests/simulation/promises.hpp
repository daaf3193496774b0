#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "simulation/call.hpp"
#include "simulation/process.hpp"
#include "simulation/shelf.hpp"

namespace sluice::simulation {

/// What a buyer sent. If it is sent again, it is the same wish.
struct SentWish {
    UserId buyer;
    SaleId sale;
    std::string pass;
    std::string key;  // empty when there is none
    std::int64_t quantity = 1;
};

/// Remembers across crashes what buyers were told, and compares it with the store, the hot copy and
/// the shop window. The first broken promise is kept; the run ends there.
class Promises {
  public:
    Promises(Store& store, const Bank& bank)
        : store_(store), bank_(bank), shelf_(Shelf::read(store)) {}

    /// The store as of the last check.
    const Shelf& shelf() const { return shelf_; }

    /// A wish that was not refused outright, by the clock of the world.
    void note_attempt(const SentWish& wish, Timestamp at) {
        attempts_[{wish.buyer, wish.sale}].insert(at);
    }

    /// The answer named this ticket and this order.
    void note_yes(const SentWish& wish, const Answer& answer, const TicketMarks& marks);
    /// `promised`: whether the same wish had been told yes before it was sent.
    void note_no(const SentWish& wish, http::Code code, bool promised);
    /// There was no fault, and still somebody is told to come again.
    void note_no_at_rest(const SentWish& wish, http::Code code);
    /// A ticket as its buyer sees it. `queued` may be out of date by now; Watch judges that.
    void note_ticket(const TicketId& ticket, const Answer& answer);
    /// A new place was given: this many are taken now, of this many that the gate allows.
    void note_places(SaleId sale, std::size_t out, std::int64_t most);
    bool was_promised(const SentWish& wish) const;

    /// Somebody changed this buyer's rows by hand. Only this buyer may notice it.
    void note_tampered(SaleId sale, UserId buyer) { tampered_.insert({sale, buyer}); }
    bool is_tampered(SaleId sale, UserId buyer) const { return tampered_.contains({sale, buyer}); }
    bool is_tampered(SaleId sale) const;

    /// Orders that somebody was told of.
    const std::vector<std::pair<OrderId, UserId>>& orders() const { return orders_; }

    std::size_t captures() const;
    std::optional<Timestamp> next_due() const;

    /// The shop's time, and the true time since some instant.
    void note_time(Timestamp now, std::chrono::milliseconds true_now) {
        now_ = now;
        true_now_ = true_now;
    }

    /// What is always true.
    void check(const Process& process);

    /// The product's own audit: for a healthy shop it is never red.
    void audit(Timestamp now);

    /// What is true once nothing is under way and the reaper has made its round.
    void check_at_rest(Process& process, Timestamp now);

    const std::optional<std::string>& broken() const { return broken_; }
    void break_with(std::string what);

  private:
    bool is_found_by_key(const SentWish& wish, const TicketId& ticket, const TicketMarks& marks);
    using Name = std::tuple<UserId, SaleId, bool, std::string>;
    static Name name_of(const SentWish& wish, bool by_key);

    void check_stock(const Shelf& shelf);
    void check_holdings(const Shelf& shelf);
    void check_journal(const Shelf& shelf);
    void check_new_tickets(const Shelf& shelf);
    void check_totals(const Shelf& before, const Shelf& after);
    void check_yeses(const Shelf& shelf);
    void check_money(const Shelf& shelf);
    void check_holds(const Shelf& shelf);
    void check_bank(const Shelf& shelf);
    void check_window(const Process& process);
    void check_hot_copy(Process& process, const Sale& sale, const Shelf& shelf, Timestamp now);

    Store& store_;
    const Bank& bank_;
    Shelf shelf_;
    std::set<std::pair<SaleId, UserId>> tampered_;
    std::map<std::pair<UserId, SaleId>, std::set<Timestamp>> attempts_;
    std::map<Name, TicketId> tickets_;  // that a wish was told of
    std::map<TicketId, OrderId> yeses_;
    std::vector<std::pair<OrderId, UserId>> orders_;
    std::set<TicketId> committed_;  // as last seen
    Timestamp now_;
    std::chrono::milliseconds true_now_{0};
    std::map<OrderId, std::chrono::milliseconds> made_at_;  // in true time, until they expire
    std::uint64_t checked_commits_ = ~std::uint64_t{0};
    std::optional<std::string> broken_;
};

}  // namespace sluice::simulation
