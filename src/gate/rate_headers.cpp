#include "gate/rate_headers.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sluice::gate {
namespace {

std::uint64_t in_seconds(std::chrono::microseconds span) {
    return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(span).count());
}

/// Text that is being written, in a buffer for the longest possible one.
class Lines {
  public:
    Lines& operator<<(std::string_view text) {
        std::memcpy(end_, text.data(), text.size());
        end_ += text.size();
        return *this;
    }
    Lines& operator<<(std::uint64_t number) {
        end_ = std::to_chars(end_, text_ + sizeof text_, number).ptr;
        return *this;
    }
    std::string_view text() const { return {text_, static_cast<std::size_t>(end_ - text_)}; }

  private:
    char text_[192];
    char* end_ = text_;
};

}  // namespace

bool Headroom::is_nearer_its_bound_than(const Headroom& other) const {
    if (policy.empty() || other.policy.empty()) return other.policy.empty();
    return std::uint64_t{count.left} * other.quota.burst <
           std::uint64_t{other.count.left} * quota.burst;
}

void write_headroom(http::Response& response, const Headroom& headroom) {
    const auto& [policy, quota, count] = headroom;
    const auto reset = count.wait.count() > 0 ? count.wait : count.full_in;
    const std::chrono::microseconds window{static_cast<std::int64_t>(quota.window())};
    Lines lines;
    lines << "RateLimit-Policy: \"" << policy << "\";q=" << quota.burst
          << ";w=" << std::max<std::uint64_t>(in_seconds(window), 1) << "\r\nRateLimit: \""
          << policy << "\";r=" << count.left << ";t=" << in_seconds(reset) << "\r\n";
    response.add_lines(lines.text());
}

void refuse(http::Exchange& exchange, const Headroom& headroom, http::Code code) {
    http::write_retry_after(exchange.response, static_cast<int>(in_seconds(headroom.count.wait)));
    write_headroom(exchange.response, headroom);
    exchange.refuse(code);
}

}  // namespace sluice::gate
