#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "simulation/call.hpp"
#include "simulation/pace.hpp"
#include "simulation/peaks.hpp"
#include "simulation/process.hpp"
#include "simulation/promises.hpp"
#include "simulation/simulated_clock.hpp"
#include "simulation/witness.hpp"

namespace sluice::simulation {

/// A promise that was broken, and how to repeat the run.
struct Failure {
    std::uint64_t seed = 0;
    int step = 0;
    std::string what;
    std::vector<std::string> last_events;

    std::string text() const;
};

/// One run: a few buyers and an operator at a shop in which chance decides every await, and which
/// crashes now and then. The parts are in files by subject: buyers.cpp, office.cpp, money.cpp,
/// upkeep.cpp.
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
        Timestamp expires_at;
    };

    // world.cpp
    void open_sales();
    void act();
    void come_to_rest();
    void drain();
    void observe();
    using Hear = std::function<void(const Answer&)>;
    void send(Call::Request request, Subject subject, Hear hear);
    Task<> carry_out(std::shared_ptr<Call> call, std::shared_ptr<Watch> watch, Hear hear);
    /// An outage counts as the answer "come again".
    Task<> bear_outage(Task<> task);
    void tell(std::string event);
    std::optional<Failure> failure() const;

    // buyers.cpp
    void buy();
    void buy(const SentWish& wish);
    void send_again();
    void ask_for_pass();
    void look_at_ticket();
    void look_at_latest_ticket();
    void look_at_order();
    void look_at_sale();
    void cancel();
    void flood();
    void limit_anew();
    bool is_too_fast(UserId buyer);
    std::optional<SentWish> make_wish();
    UserId some_buyer();
    void hear_of_purchase(const SentWish& wish, bool promised, const Answer& answer);

    // office.cpp
    void operate();
    void post(const std::string& what, SaleId sale, std::string path, std::string body,
              bool asks_for_stock);
    void edit(SaleId sale, std::string body, bool asks_for_stock);
    void refund_some_order();

    // money.cpp
    void pay();
    void bank_tells();
    void tell_shop(std::size_t event);
    void expire();
    void send_back_money();
    void settle_money();
    Task<> begin_payment(OrderId order, UserId buyer);
    Task<> hear(std::size_t event);

    // upkeep.cpp
    void move_clock();
    void reap();
    void refill();
    void look_after_copies();
    void reload_catalog();
    void heal_flags();
    void crash();
    std::optional<std::pair<SaleId, UserId>> lose_a_holding();
    void rush_with(SaleId sale, UserId buyer);
    void extend_by_hand();
    void step_clock();

    const std::uint64_t seed_;
    const Plant plant_;
    const std::size_t events_kept_;
    Chance chance_;
    SimulatedClock clock_;
    Store store_;
    Bank bank_;
    Promises promises_;
    Witness witness_;
    Pace pace_;
    std::uint32_t processes_ = 0;
    std::unique_ptr<Process> process_;
    std::vector<SaleId> sales_;
    std::vector<HeldPass> passes_;
    std::set<std::pair<UserId, SaleId>> asked_;  // for a pass
    Peaks watched_;                              // places, while somebody asks for a pass
    std::vector<SentWish> wishes_;
    std::map<std::tuple<UserId, SaleId, std::string>, std::shared_ptr<std::set<std::int64_t>>>
        quantities_;                                  // that a key has come with
    std::vector<std::pair<TicketId, UserId>> named_;  // tickets that an answer has named
    int step_ = 0;
    bool at_rest_ = false;
    std::deque<std::string> events_;
};

/// The first seed that finds this plant, within the number of seeds.
std::optional<std::uint64_t> find_planted(const PlantName& plant);

}  // namespace sluice::simulation
