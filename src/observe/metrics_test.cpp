#include "observe/metrics.hpp"

#include <chrono>
#include <map>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "observe/process_metrics.hpp"
#include "observe/request_metrics.hpp"

namespace sluice {
namespace {

using namespace std::chrono_literals;

/// Sample lines of the text format by name and labels.
std::map<std::string, double> samples_of(const std::string& text) {
    std::map<std::string, double> samples;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) continue;
        const auto space = line.rfind(' ');
        samples[line.substr(0, space)] = std::stod(line.substr(space + 1));
    }
    return samples;
}

std::map<std::string, double> samples_of(const prometheus::Collectable& collectable) {
    MetricsPage page;
    page.add(collectable);
    return samples_of(page.text());
}

TEST(MetricsPage, ReadsAtEachScrape) {
    MetricsPage page;
    double depth = 3;
    page.add_gauge("sluice_queue_depth", "Waiting.", [&] { return depth; }, {{"queue", "a\"b"}});
    page.add_counter("sluice_lost_total", "Lost.", [] { return 2.0; });
    page.add_gauge("sluice_queue_depth", "Waiting.", [] { return 9.0; }, {{"queue", "c"}});
    EXPECT_EQ(page.text(),
              "# HELP sluice_queue_depth Waiting.\n"
              "# TYPE sluice_queue_depth gauge\n"
              "sluice_queue_depth{queue=\"a\\\"b\"} 3\n"
              "sluice_queue_depth{queue=\"c\"} 9\n"
              "# HELP sluice_lost_total Lost.\n"
              "# TYPE sluice_lost_total counter\n"
              "sluice_lost_total 2\n");
    depth = 4;
    EXPECT_EQ(samples_of(page.text()).at("sluice_queue_depth{queue=\"a\\\"b\"}"), 4);
}

TEST(RequestMetrics, CountsByRouteAndClass) {
    RequestMetrics metrics({"GET /a", "GET /b"}, 2);
    metrics.record(0, 0, 200, 1ms);
    metrics.record(1, 0, 204, 1ms);
    metrics.record(1, 0, 404, 1ms);
    metrics.record(0, 1, 599, 1ms);
    const auto samples = samples_of(metrics);
    const auto count = [&](const char* labels) {
        return samples.at(std::string("sluice_http_requests_total{") + labels + '}');
    };
    EXPECT_EQ(count(R"(route="GET /a",status="2xx")"), 2);
    EXPECT_EQ(count(R"(route="GET /a",status="4xx")"), 1);
    EXPECT_EQ(count(R"(route="GET /a",status="5xx")"), 0);
    EXPECT_EQ(count(R"(route="GET /b",status="5xx")"), 1);
    EXPECT_EQ(count(R"(route="GET /b",status="1xx")"), 0);
}

TEST(RequestMetrics, PutsLatencyIntoItsBucket) {
    RequestMetrics metrics({"r"}, 2);
    for (auto took : {-1ns, 10'000ns, 10'001ns, 1'000'000ns}) metrics.record(0, 0, 200, took);
    metrics.record(1, 0, 200, 1h);
    const auto samples = samples_of(metrics);
    const auto upto = [&](const char* bound) {
        return samples.at(std::string(R"(sluice_http_request_seconds_bucket{route="r",le=")") +
                          bound + "\"}");
    };
    EXPECT_EQ(upto("1e-05"), 2);  // a bound belongs to its bucket
    EXPECT_EQ(upto("0.001"), 4);
    EXPECT_EQ(upto("5"), 4);
    EXPECT_EQ(upto("+Inf"), 5);
    EXPECT_EQ(samples.at(R"(sluice_http_request_seconds_count{route="r"})"), 5);
    EXPECT_NEAR(samples.at(R"(sluice_http_request_seconds_sum{route="r"})"), 3600.00102, 1e-4);
}

TEST(RequestMetrics, LosesNothingWhileScraped) {
    constexpr unsigned kThreads = 3;
    constexpr int kEach = 20'000;
    RequestMetrics metrics({"r"}, kThreads);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < kEach; ++i) metrics.record(t, 0, 200, 5us);
        });
    double last = 0;
    for (int i = 0; i < 20; ++i) {
        const auto samples = samples_of(metrics);
        const auto now = samples.at(R"(sluice_http_request_seconds_count{route="r"})");
        EXPECT_GE(now, last);
        last = now;
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(samples_of(metrics).at(R"(sluice_http_requests_total{route="r",status="2xx"})"),
              kThreads * kEach);
}

TEST(ProcessMetrics, TellsOfThisProcess) {
    const ProcessMetrics metrics;
    const auto before = samples_of(metrics);
    int open_files = 0;
    for (int file = 0; file < 1024; ++file)
        if (fcntl(file, F_GETFD) != -1) ++open_files;
    const auto after = samples_of(metrics);

    EXPECT_EQ(before.at("process_open_fds"), open_files);
    EXPECT_GE(before.at("process_max_fds"), before.at("process_open_fds"));
    EXPECT_GT(before.at("process_resident_memory_bytes"), 100'000);
    EXPECT_GT(before.at("process_virtual_memory_bytes"),
              before.at("process_resident_memory_bytes"));
    EXPECT_GE(after.at("process_cpu_seconds_total"), before.at("process_cpu_seconds_total"));
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    EXPECT_LT(before.at("process_start_time_seconds"), now.count() + 2);
    EXPECT_GT(before.at("process_start_time_seconds"), now.count() - 86'400);
}

}  // namespace
}  // namespace sluice
