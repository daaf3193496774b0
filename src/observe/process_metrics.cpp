#include "observe/process_metrics.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>

#include <prometheus/metric_family.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sluice {
namespace {

struct Usage {
    double cpu_seconds = 0;
    double start_seconds = 0;  // since boot
    double virtual_bytes = 0;
    double resident_bytes = 0;
};

/// From /proc/self/stat, whose fields proc(5) numbers from 1.
std::optional<Usage> read_usage() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    // The program's name is in parentheses and may itself hold spaces and parentheses.
    const auto name_end = line.rfind(')');
    if (name_end == line.npos) return std::nullopt;
    std::istringstream rest(line.substr(name_end + 1));
    const std::vector<std::string> fields(std::istream_iterator<std::string>{rest}, {});
    constexpr std::size_t kFirst = 3;
    if (fields.size() <= 24 - kFirst) return std::nullopt;
    const auto field = [&](std::size_t number) { return std::stod(fields[number - kFirst]); };

    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    return Usage{.cpu_seconds = (field(14) + field(15)) / ticks,
                 .start_seconds = field(22) / ticks,
                 .virtual_bytes = field(23),
                 .resident_bytes = field(24) * static_cast<double>(sysconf(_SC_PAGESIZE))};
}

std::optional<double> read_boot_time() {
    std::ifstream file("/proc/stat");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("btime ")) return std::stod(line.substr(6));
    return std::nullopt;
}

std::optional<double> count_open_files() {
    std::error_code error;
    const std::filesystem::directory_iterator folder("/proc/self/fd", error);
    if (error) return std::nullopt;
    // One of them is the folder being read.
    return static_cast<double>(std::distance(begin(folder), end(folder)) - 1);
}

std::optional<double> open_file_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
    return static_cast<double>(limit.rlim_cur);
}

class Families {
  public:
    void add(const char* name, const char* help, prometheus::MetricType type,
             std::optional<double> value) {
        if (!value) return;
        auto& family = all.emplace_back();
        family.name = name;
        family.help = help;
        family.type = type;
        auto& metric = family.metric.emplace_back();
        if (type == prometheus::MetricType::Counter)
            metric.counter.value = *value;
        else
            metric.gauge.value = *value;
    }

    std::vector<prometheus::MetricFamily> all;
};

}  // namespace

std::vector<prometheus::MetricFamily> ProcessMetrics::Collect() const {
    using prometheus::MetricType;
    Families families;
    if (const auto usage = read_usage()) {
        families.add("process_cpu_seconds_total", "User and system time spent.",
                     MetricType::Counter, usage->cpu_seconds);
        families.add("process_resident_memory_bytes", "Memory in RAM.", MetricType::Gauge,
                     usage->resident_bytes);
        families.add("process_virtual_memory_bytes", "Memory mapped.", MetricType::Gauge,
                     usage->virtual_bytes);
        if (const auto boot = read_boot_time())
            families.add("process_start_time_seconds", "Start, in Unix time.", MetricType::Gauge,
                         *boot + usage->start_seconds);
    }
    families.add("process_open_fds", "Open files and sockets.", MetricType::Gauge,
                 count_open_files());
    families.add("process_max_fds", "How many may be open.", MetricType::Gauge, open_file_limit());
    return families.all;
}

}  // namespace sluice
