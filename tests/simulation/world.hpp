#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulation/pace.hpp"
#include "simulation/process.hpp"
#include "simulation/promises.hpp"
#include "support/manual_clock.hpp"

namespace sluice::simulation {

/// A promise that was broken, and how to see it again.
struct Failure {
    std::uint64_t seed = 0;
    int step = 0;
    std::string what;
    std::vector<std::string> last_events;

    std::string text() const;
};

/// One run: a few buyers and an operator at a shop whose every await goes as chance wants it, and
/// which crashes now and then.
class World {
  public:
    explicit World(std::uint64_t seed, Plant plant = Plant::none, std::size_t events_kept = 60);

    std::optional<Failure> run();

    std::size_t yeses() const { return promises_.orders().size(); }
    /// Charges that paid an order, and that did not.
    std::size_t captures() const { return promises_.captures(); }
    std::size_t sent_back() const { return bank_.taken().size() - captures(); }

  private:
    struct HeldPass {
        UserId buyer;
        SaleId sale;
        std::string text;
    };

    void open_sales();
    void act();
    void come_to_rest();
    void settle_money();
    void drain();

    void buy();
    bool is_too_fast(UserId buyer);
    void flood();
    void limit_anew();
    void send(const SentWish& wish);
    void send_again();
    SentWish make_wish();
    std::optional<std::string> find_pass(const Caller& buyer, SaleId sale);
    void cancel();
    void pay();
    void bank_tells();
    void tell_shop(std::size_t event);
    void expire();
    void send_back_money();
    void operate();
    void move_clock();
    void reap();
    void refill();
    void crash();

    Task<> carry_out(SentWish wish, Purchase::Attempt attempt, bool promised);
    Task<> begin_payment(OrderId order, UserId buyer);
    Task<> hear(std::size_t event);
    /// An outage is an answer too: come again.
    Task<> bear_outage(Task<> task);

    void tell(std::string event);
    std::optional<Failure> failure() const;

    const std::uint64_t seed_;
    const Plant plant_;
    const std::size_t events_kept_;
    Chance chance_;
    testing_support::ManualClock clock_;
    Store store_;
    Bank bank_;
    Promises promises_;
    Pace pace_;
    std::uint32_t processes_ = 0;
    std::unique_ptr<Process> process_;
    std::vector<SaleId> sales_;
    std::vector<HeldPass> passes_;
    std::vector<SentWish> wishes_;
    int step_ = 0;
    bool at_rest_ = false;
    std::deque<std::string> events_;
};

}  // namespace sluice::simulation
