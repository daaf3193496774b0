// How many pictures of formulas one thread draws in a second.
//   picture_bench [SECONDS]             draws for so long, five times, and prints the rates
//   picture_bench --print COUNT [SEED]  prints pictures for readers: a line each, formula and PNG
//   picture_bench --forms               prints the strokes of all symbols, which readers know

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

#include "base/encoding.hpp"
#include "domain/formula.hpp"
#include "picture/formula_picture.hpp"
#include "picture/strokes.hpp"

namespace sluice {
namespace {

using Stopwatch = std::chrono::steady_clock;

void print(long count, std::uint64_t seed) {
    std::mt19937_64 chance(seed);
    for (long i = 0; i < count; ++i) {
        const auto text = pick_formula(chance()).text();
        const auto png = draw_formula(text, chance());
        std::printf("%s %s\n", text.c_str(), to_base64(bytes_of(png)).c_str());
    }
}

/// A line for each form: symbol, width, and the points of its strokes between commas.
void print_forms() {
    for (const char symbol : std::string_view("0123456789+-*"))
        for (const auto& form : forms_of(symbol)) {
            std::printf("%c %.3f", symbol, form.width);
            for (const auto& stroke : form.strokes) {
                std::printf(" ,");
                for (const auto& [x, y] : stroke) std::printf(" %.3f %.3f", x, y);
            }
            std::printf("\n");
        }
}

void measure(double seconds) {
    std::mt19937_64 chance(1);
    for (int round = 0; round < 5; ++round) {
        const auto began = Stopwatch::now();
        long drawn = 0;
        std::size_t bytes = 0;
        double took = 0;
        while (took < seconds) {
            bytes += draw_formula(pick_formula(chance()).text(), chance()).size();
            ++drawn;
            took = std::chrono::duration<double>(Stopwatch::now() - began).count();
        }
        std::printf("%.0f pictures a second, %ld bytes each\n", static_cast<double>(drawn) / took,
                    static_cast<long>(bytes) / drawn);
    }
}

int run(int count, char** arguments) {
    const std::string_view first = count > 1 ? arguments[1] : "1";
    if (first == "--print" && count > 2)
        print(std::atol(arguments[2]), count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1);
    else if (first == "--forms")
        print_forms();
    else
        measure(std::atof(first.data()));
    return 0;
}

}  // namespace
}  // namespace sluice

int main(int count, char** arguments) {
    return sluice::run(count, arguments);
}
