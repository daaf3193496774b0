#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "domain/order.hpp"
#include "domain/sale.hpp"
#include "simulation/process.hpp"
#include "simulation/store.hpp"

namespace sluice::simulation {

/// What a buyer sent: sent again it is the same wish.
struct SentWish {
    UserId buyer;
    SaleId sale;
    std::string pass;
    std::string key;  // empty when there is none
    std::int64_t quantity = 1;
};

/// Remembers across crashes what buyers were told, and holds the store, the hot copy and the shop
/// window against it. The first broken promise is kept; the run ends there.
class Promises {
  public:
    Promises(Store& store, const Bank& bank) : store_(store), bank_(bank) {}

    /// A wish that was not refused outright, by the clock of the world.
    void note_attempt(const SentWish& wish, Timestamp at) {
        attempts_[{wish.buyer, wish.sale}].insert(at);
    }

    /// `by_key` when it is the ticket of the wish's key, else that of its pass.
    void note_yes(const SentWish& wish, const TicketRecord& record, bool by_key);
    /// `promised` tells whether the same wish had been told yes before it was sent.
    void note_no(const SentWish& wish, Reason reason, bool promised);
    /// All is well, and still somebody is sent away to come again.
    void note_no_at_rest(const SentWish& wish, Reason reason);
    /// A new place was given: so many are taken now, of so many that the gate allows.
    void note_places(SaleId sale, std::size_t out, std::int64_t most);
    bool was_promised(const SentWish& wish) const;

    /// Orders that somebody was told of.
    const std::vector<std::pair<OrderId, UserId>>& orders() const { return orders_; }

    std::size_t captures() const;
    std::optional<Timestamp> next_due() const;

    /// What holds at any moment.
    void check(const Process& process);

    /// What holds once nothing is under way and the reaper has been round.
    void check_at_rest(Process& process, Timestamp now);

    const std::optional<std::string>& broken() const { return broken_; }
    void break_with(std::string what);

  private:
    using Name = std::tuple<UserId, SaleId, bool, std::string>;
    static Name name_of(const SentWish& wish, bool by_key);

    struct Row {
        TicketRecord record;
        UserId buyer;
    };
    struct Money {
        OrderId order;
        std::string charge;
        bool captures;
        bool owed;  // or sent back already
    };
    struct Shelf {
        std::map<SaleId, Sale> sales;
        std::vector<Row> journal;
        std::map<OrderId, Order> orders;
        std::map<std::pair<SaleId, UserId>, std::int64_t> holdings;
        std::vector<Money> money;
    };
    Shelf read_store();
    void check_stock(const Shelf& shelf);
    void check_holdings(const Shelf& shelf);
    void check_journal(const Shelf& shelf);
    void check_new_tickets(const Shelf& shelf);
    void check_yeses(const Shelf& shelf);
    void check_money(const Shelf& shelf);
    void check_bank(const Shelf& shelf);
    void check_window(const Process& process);
    void check_hot_copy(Process& process, const Sale& sale, const Shelf& shelf, Timestamp now);

    Store& store_;
    const Bank& bank_;
    std::map<std::pair<UserId, SaleId>, std::set<Timestamp>> attempts_;
    std::map<Name, TicketId> tickets_;  // that a wish was told of
    std::map<TicketId, OrderId> yeses_;
    std::vector<std::pair<OrderId, UserId>> orders_;
    std::set<TicketId> committed_;  // as last seen
    std::uint64_t checked_commits_ = ~std::uint64_t{0};
    std::optional<std::string> broken_;
};

}  // namespace sluice::simulation
