#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "base/mutex.hpp"
#include "base/timestamp.hpp"

namespace sluice {

/// A detail of an event. The name is a literal. A text may have any content, from anybody, and is
/// only viewed during the call.
struct Field {
    Field(std::string_view field, std::string_view text) : name(field), value(text) {}
    Field(std::string_view field, const char* text) : name(field), value(std::string_view(text)) {}
    Field(std::string_view field, const std::string& text)
        : name(field), value(std::string_view(text)) {}
    Field(std::string_view field, bool flag) : name(field), value(flag) {}
    Field(std::string_view field, double number) : name(field), value(number) {}
    template <std::signed_integral T>
    Field(std::string_view field, T number) : name(field), value(std::int64_t{number}) {}
    template <std::unsigned_integral T>
    Field(std::string_view field, T number) : name(field), value(std::uint64_t{number}) {}

    std::string_view name;
    std::variant<std::string_view, bool, double, std::int64_t, std::uint64_t> value;
};

/// One line for each event:
///   2026-11-15T08:00:00.123Z INFO sale.paused sale=1 by="Li"
///   {"at":"2026-11-15T08:00:00.123Z","level":"info","event":"sale.paused","sale":1,"by":"Li"}
/// Whatever is in a text, it stays one line in both. Safe from any thread; never throws: a line
/// that cannot be written is lost, and counted. The process must ignore SIGPIPE, or a closed stderr
/// ends it.
class Log {
  public:
    enum class Level { debug, info, warn, error };
    enum class Format { text, json };
    using Fields = std::initializer_list<Field>;

    /// Takes a line with its line break, one call at a time. Throws when it could not write the
    /// whole line.
    using Sink = std::function<void(std::string_view line)>;

    /// To stderr.
    Log(Level, Format);
    Log(Level, Format, Sink, std::function<Timestamp()> now);

    bool enabled(Level level) const noexcept {
        return level >= least_.load(std::memory_order_relaxed);
    }

    /// From the next line on. From any thread.
    void set(Level least, Format format) noexcept {
        least_ = least;
        format_ = format;
    }

    void debug(std::string_view event, Fields fields = {}) noexcept {
        write(Level::debug, event, fields);
    }
    void info(std::string_view event, Fields fields = {}) noexcept {
        write(Level::info, event, fields);
    }
    void warn(std::string_view event, Fields fields = {}) noexcept {
        write(Level::warn, event, fields);
    }
    void error(std::string_view event, Fields fields = {}) noexcept {
        write(Level::error, event, fields);
    }
    void write(Level, std::string_view event, Fields) noexcept;

    std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

  private:
    std::atomic<Level> least_;
    std::atomic<Format> format_;
    const std::function<Timestamp()> now_;
    std::atomic<std::uint64_t> lost_{0};
    Mutex mutex_;
    const Sink sink_ GUARDED_BY(mutex_);
};

}  // namespace sluice
