#include <chrono>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>

#include "simulation/world.hpp"

using namespace sluice::simulation;

/// Runs a seed after the other; ends with 1 at the first broken promise.
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
    CLI11_PARSE(app, argc, argv);

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
