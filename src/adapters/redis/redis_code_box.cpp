#include "adapters/redis/redis_code_box.hpp"

#include <algorithm>

namespace sluice::redis {

Task<std::optional<std::string>> RedisCodeBox::read(std::string name) {
    Call call{.script = nullptr, .words = {"GET", keys_.code(name)}};
    const auto reply = co_await client_.call(std::move(call));
    if (reply.view().is_nil()) co_return std::nullopt;
    co_return std::string(reply.view().text());
}

Task<bool> RedisCodeBox::replace(std::string name, std::optional<std::string> seen,
                                 std::string text, Timestamp until) {
    const auto life = std::max<std::int64_t>((until - clock_.now()).count(), 1);
    Call call{.script = &script("code_replace"),
              .words = {keys_.code(name), seen ? "1" : "0", seen.value_or(""), std::move(text),
                        std::to_string(life)}};
    const auto reply = co_await client_.call(std::move(call));
    co_return reply.view().number() == 1;
}

}  // namespace sluice::redis
