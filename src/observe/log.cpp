#include "observe/log.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <unistd.h>

#include "base/names.hpp"
#include "base/printable.hpp"

namespace sluice {
namespace {

using Level = Log::Level;
constexpr Names<Level::error> kUpperNames({{Level::debug, "DEBUG"},
                                           {Level::info, "INFO"},
                                           {Level::warn, "WARN"},
                                           {Level::error, "ERROR"}});
constexpr Names<Level::error> kLowerNames({{Level::debug, "debug"},
                                           {Level::info, "info"},
                                           {Level::warn, "warn"},
                                           {Level::error, "error"}});

Timestamp system_now() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// Directly to the descriptor: with a buffer in between a full disk would not be noticed.
void write_to_stderr(std::string_view line) {
    while (!line.empty()) {
        const auto written = ::write(STDERR_FILENO, line.data(), line.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw std::system_error(errno, std::generic_category(), "stderr");
        line.remove_prefix(static_cast<std::size_t>(written));
    }
}

struct AppendText {
    std::string& line;

    void operator()(std::string_view text) const {
        line += boost::json::serialize(boost::json::string_view(printable(text)));
    }
    void operator()(bool flag) const { line += flag ? "true" : "false"; }
    void operator()(auto number) const {
        std::array<char, 32> digits;  // room for any of the types
        const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
        line.append(digits.begin(), end);
    }
};

std::string text_line(Timestamp at, Log::Level level, std::string_view event, Log::Fields fields) {
    std::string line = to_rfc3339(at);
    line += ' ';
    line += kUpperNames.text(level);
    line += ' ';
    line += event;
    for (const auto& field : fields) {
        line += ' ';
        line += field.name;
        line += '=';
        std::visit(AppendText{line}, field.value);
    }
    return line;
}

struct AsJson {
    boost::json::value operator()(std::string_view text) const {
        return boost::json::string(printable(text));
    }
    boost::json::value operator()(double number) const {
        if (!std::isfinite(number)) return nullptr;  // JSON has no word for it
        return number;
    }
    boost::json::value operator()(auto plain) const { return plain; }
};

std::string json_line(Timestamp at, Log::Level level, std::string_view event, Log::Fields fields) {
    boost::json::object line;
    line.reserve(fields.size() + 3);
    line.emplace("at", to_rfc3339(at));
    line.emplace("level", kLowerNames.text(level));
    line.emplace("event", event);
    for (const auto& field : fields) line.emplace(field.name, std::visit(AsJson{}, field.value));
    return boost::json::serialize(line);
}

}  // namespace

Log::Log(Level least, Format format) : Log(least, format, write_to_stderr, system_now) {}

Log::Log(Level least, Format format, Sink sink, std::function<Timestamp()> now)
    : least_(least), format_(format), now_(std::move(now)), sink_(std::move(sink)) {}

void Log::write(Level level, std::string_view event, Fields fields) noexcept {
    if (!enabled(level)) return;
    // A request must not fail because its line cannot be written.
    try {
        const auto at = now_();
        std::string line = format_ == Format::json ? json_line(at, level, event, fields)
                                                   : text_line(at, level, event, fields);
        line += '\n';
        const MutexLock lock(mutex_);
        sink_(line);
    } catch (...) {
        ++lost_;
    }
}

}  // namespace sluice
