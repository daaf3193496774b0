#pragma once

#include "adapters/redis/client.hpp"
#include "adapters/redis/keys.hpp"
#include "ports/clock.hpp"
#include "ports/code_box.hpp"

namespace sluice::redis {

/// The codes of several nodes.
class RedisCodeBox final : public CodeBox {
  public:
    RedisCodeBox(Client& client, const Clock& clock)
        : client_(client), keys_(client.options().prefix), clock_(clock) {}

    Task<std::optional<std::string>> read(std::string name) override;
    Task<bool> replace(std::string name, std::optional<std::string> seen, std::string text,
                       Timestamp until) override;
    /// Their number is bounded by the messages in ten minutes, which have limits of their own.
    bool is_full() const override { return false; }

  private:
    Client& client_;
    const Keys keys_;
    const Clock& clock_;
};

}  // namespace sluice::redis
