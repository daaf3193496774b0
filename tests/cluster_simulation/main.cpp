#include <chrono>
#include <iomanip>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "cluster_simulation/world.hpp"

using namespace sluice::cluster_simulation;

namespace {

/// Exits with 1 when a switch is not found within its number of seeds.
int show_switches() {
    int missed = 0;
    for (const auto& name : kSwitches) {
        const auto seed = find_left_out(name);
        std::cout << std::right << std::setw(2) << name.sentence << " " << std::left
                  << std::setw(22) << name.name << " within " << std::setw(6) << name.within;
        if (seed)
            std::cout << " by seed " << *seed << ": " << World(*seed, name.which).run()->what;
        else
            std::cout << (name.must_be_found ? " NOT FOUND" : " not found, an early alarm");
        std::cout << std::endl;
        missed += seed || !name.must_be_found ? 0 : 1;
    }
    return missed > 0 ? 1 : 0;
}

Switch parse(const std::string& text) {
    for (const auto& known : kSwitches)
        if (text == known.name) return known.which;
    return Switch::none;
}

}  // namespace

/// Runs one seed after the other; exits with 1 at the first broken promise.
int main(int argc, char** argv) {
    std::uint64_t seed = 1;
    std::uint64_t runs = 2'000;
    std::size_t events = 80;
    std::string left_out;
    bool switches = false;
    CLI::App app("Sells in a simulated cluster where everything goes wrong that may");
    app.add_option("--seed", seed, "The first seed");
    app.add_option("--runs", runs, "How many seeds in a row");
    app.add_option("--without", left_out, "Leave out this sentence of the protocol");
    app.add_option("--events", events, "How many events to show before a broken promise");
    app.add_flag("--plants", switches, "Show for each sentence the seed that misses it");
    CLI11_PARSE(app, argc, argv);
    if (switches) return show_switches();

    const auto which = parse(left_out);
    if (!left_out.empty() && which == Switch::none) {
        std::cerr << "there is no such switch: " << left_out << "\n";
        return 2;
    }
    const auto began = std::chrono::steady_clock::now();
    std::size_t orders = 0, tickets = 0, refused = 0;
    for (std::uint64_t i = 0; i < runs; ++i) {
        World world(seed + i, which);
        if (world.run()) {
            std::cerr << World(seed + i, which, events).run()->text();
            return 1;
        }
        orders += world.judge().orders_promised();
        tickets += world.judge().tickets_promised();
        refused += world.judge().tickets_refused();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::cout << runs << " runs from seed " << seed << ", " << orders << " orders and " << tickets
              << " tickets promised, " << refused
              << " tickets refused by the ledger, every promise kept; " << took.count() << " s\n";
    return 0;
}
