#include <chrono>
#include <iomanip>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "simulation/world.hpp"

using namespace sluice::simulation;

namespace {

/// Exits with 1 when a plant is not found within its number of seeds.
int show_plants() {
    int missed = 0;
    for (const auto& plant : kPlants) {
        const auto seed = find_planted(plant);
        std::cout << std::left << std::setw(24) << plant.name << " within " << std::setw(5)
                  << plant.within;
        if (seed)
            std::cout << " by seed " << *seed << ": " << World(*seed, plant.plant).run()->what;
        else
            std::cout << " NOT FOUND";
        std::cout << std::endl;
        missed += seed ? 0 : 1;
    }
    return missed > 0 ? 1 : 0;
}

}  // namespace

/// Runs one seed after the other; exits with 1 at the first broken promise.
int main(int argc, char** argv) {
    std::uint64_t seed = 1;
    std::uint64_t runs = 2'000;
    std::size_t events = 60;
    std::string planted;
    CLI::App app("Sells in simulated shops where everything goes wrong that may");
    app.add_option("--seed", seed, "The first seed");
    app.add_option("--runs", runs, "How many seeds in a row");
    app.add_option("--plant", planted, "With this bug planted");
    app.add_option("--events", events, "How many events to show before a broken promise");
    bool plants = false;
    app.add_flag("--plants", plants, "Show for each planted bug the seed that finds it");
    CLI11_PARSE(app, argc, argv);
    if (plants) return show_plants();

    auto plant = Plant::none;
    for (const auto& known : kPlants)
        if (planted == known.name) plant = known.plant;
    if (!planted.empty() && plant == Plant::none) {
        std::cerr << "there is no such plant: " << planted << "\n";
        return 2;
    }
    const auto began = std::chrono::steady_clock::now();
    std::size_t yeses = 0, captures = 0, sent_back = 0;
    for (std::uint64_t i = 0; i < runs; ++i) {
        World world(seed + i, plant, events);
        if (const auto failure = world.run()) {
            std::cerr << failure->text();
            return 1;
        }
        yeses += world.yeses();
        captures += world.captures();
        sent_back += world.sent_back();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::cout << runs << " runs from seed " << seed << ", " << yeses << " orders promised, "
              << captures << " paid, " << sent_back << " payments sent back, every promise kept; "
              << took.count() << " s\n";
    return 0;
}
