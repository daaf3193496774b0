#include "main/redis_duty.hpp"

#include <array>

#include <sodium.h>

#include "base/encoding.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

std::string draw_name() {
    std::array<unsigned char, 16> bytes;
    randombytes_buf(bytes.data(), bytes.size());
    return to_hex(bytes);
}

}  // namespace

RedisDuty::RedisDuty(redis::Client& client, std::string duty, Log& log)
    : client_(client),
      log_(log),
      duty_(std::move(duty)),
      key_(client.options().prefix + duty_),
      name_(draw_name()) {}

Task<> RedisDuty::look() {
    try {
        const bool is_mine = co_await take();
        if (is_mine_.exchange(is_mine) != is_mine)
            log_.info(is_mine ? "duty.taken" : "duty.lost", {{"duty", duty_}});
    } catch (const Outage&) {  // which the watch tells
    } catch (const Overload&) {
    }
}

Task<bool> RedisDuty::take() {
    const auto seconds = std::to_string(kSeconds);
    redis::Call set{.script = nullptr, .words = {"SET", key_, name_, "NX", "EX", seconds}};
    const auto taken = co_await client_.call(std::move(set));
    if (!taken.view().is_nil()) co_return true;
    redis::Call get{.script = nullptr, .words = {"GET", key_}};
    const auto owner = co_await client_.call(std::move(get));
    if (owner.view().is_nil() || owner.view().text() != name_) co_return false;
    redis::Call renew{.script = nullptr, .words = {"EXPIRE", key_, seconds}};
    co_await client_.call(std::move(renew));
    co_return true;
}

}  // namespace sluice
