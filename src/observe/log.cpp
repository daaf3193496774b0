#include "observe/log.hpp"

#include <array>
#include <cmath>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "observe/printable.hpp"

namespace sluice {
namespace {

constexpr std::array<std::string_view, 4> kUpperNames{"DEBUG", "INFO", "WARN", "ERROR"};
constexpr std::array<std::string_view, 4> kLowerNames{"debug", "info", "warn", "error"};

Timestamp system_now() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

struct AppendText {
    std::string& line;

    void operator()(std::string_view text) const {
        line += boost::json::serialize(boost::json::string_view(printable(text)));
    }
    void operator()(bool flag) const { line += flag ? "true" : "false"; }
    void operator()(auto number) const { fmt::format_to(std::back_inserter(line), "{}", number); }
};

std::string text_line(Timestamp at, Log::Level level, std::string_view event, Log::Fields fields) {
    std::string line = to_rfc3339(at);
    line += ' ';
    line += kUpperNames[static_cast<std::size_t>(level)];
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
    line.emplace("level", kLowerNames[static_cast<std::size_t>(level)]);
    line.emplace("event", event);
    for (const auto& field : fields) line.emplace(field.name, std::visit(AsJson{}, field.value));
    return boost::json::serialize(line);
}

}  // namespace

Log::Log(Level least, Format format)
    : Log(least, format, std::make_shared<spdlog::sinks::stderr_sink_mt>(), system_now) {}

Log::Log(Level least, Format format, std::shared_ptr<spdlog::sinks::sink> sink,
         std::function<Timestamp()> now)
    : least_(least),
      format_(format),
      now_(std::move(now)),
      logger_(std::make_unique<spdlog::logger>("", std::move(sink))) {
    logger_->set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::utc, "\n"));
    logger_->set_error_handler([this](const std::string&) { ++lost_; });
}

Log::~Log() = default;

void Log::write(Level level, std::string_view event, Fields fields) noexcept {
    if (!enabled(level)) return;
    // A request must not fail because its line cannot be written.
    try {
        const auto at = now_();
        const std::string line = format_ == Format::json ? json_line(at, level, event, fields)
                                                         : text_line(at, level, event, fields);
        // The level has been judged; spdlog only carries the line.
        logger_->log(spdlog::level::critical, spdlog::string_view_t(line));
    } catch (...) {
        ++lost_;
    }
}

}  // namespace sluice
