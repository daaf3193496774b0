// What a proof of work costs: how many answers one core of a server tries in a second, with the
// processor's own instructions for SHA-256 as OpenSSL uses them, and how many answers we judge.
// work_bench [SECONDS]

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <openssl/evp.h>

#include "base/check.hpp"
#include "domain/proof_of_work.hpp"

namespace sluice {
namespace {

using Stopwatch = std::chrono::steady_clock;

constexpr UserId kBuyer{1};
constexpr SaleId kSale{2};
constexpr unsigned kBits = 19;

/// How many calls fit into a second.
template <class Call>
double rate_of(double seconds, Call call) {
    const auto began = Stopwatch::now();
    long calls = 0;
    double took = 0;
    while (took < seconds) {
        for (int i = 0; i < 1'000; ++i) call(calls++);
        took = std::chrono::duration<double>(Stopwatch::now() - began).count();
    }
    return static_cast<double>(calls) / took;
}

double tries(double seconds, const std::string& id) {
    EVP_MD* sha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    CHECK(sha256 && context, "OpenSSL has SHA-256");
    auto text = work_prefix(id) + "00000000";
    std::array<unsigned char, 32> digest;
    unsigned long found = 0;
    const double rate = rate_of(seconds, [&](long number) {
        std::snprintf(text.data() + text.size() - 8, 9, "%08x", static_cast<unsigned>(number));
        EVP_DigestInit_ex2(context, sha256, nullptr);
        EVP_DigestUpdate(context, text.data(), text.size());
        EVP_DigestFinal_ex(context, digest.data(), nullptr);
        found += digest[0] == 0 && digest[1] == 0 && digest[2] < 32;
    });
    std::printf("%lu found on the way\n", found);
    EVP_MD_CTX_free(context);
    EVP_MD_free(sha256);
    return rate;
}

double judgements(double seconds, const WorkChallenges& challenges, const std::string& id) {
    long right = 0;
    const double rate = rate_of(seconds, [&](long number) {
        const auto challenge = challenges.open(id, kBuyer, kSale);
        right += proves_work(id, std::to_string(number), challenge->bits);
    });
    std::printf("%ld of them right\n", right);
    return rate;
}

int run(double seconds) {
    const WorkChallenges challenges({4, 5, 6});
    const auto id = challenges.seal(kBuyer, kSale, kBits, from_millis(1'794'513'600'000), {1, 2});
    const double tried = tries(seconds, id);
    const double judged = judgements(seconds, challenges, id);
    std::printf("one core tries %.0f answers a second: %u bits take it %.2f s\n", tried, kBits,
                std::exp2(kBits) / tried);
    std::printf("one core judges %.0f answers a second: %.1f microseconds each\n", judged,
                1e6 / judged);
    return 0;
}

}  // namespace
}  // namespace sluice

int main(int count, char** arguments) {
    return sluice::run(count > 1 ? std::atof(arguments[1]) : 2);
}
