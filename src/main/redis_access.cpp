#include "main/redis_access.hpp"

#include "base/run_to_end.hpp"
#include "main/redis_options.hpp"

namespace sluice {

RedisAccess::RedisAccess(const Config::Hot& hot)
    : client_(redis_options(hot), {&loop_}),
      gate_(client_, client_),
      thread_([this] { context_.run(); }) {}

RedisAccess::~RedisAccess() {
    run_to_end(client_.stop());
    busy_.reset();
    thread_.join();
}

}  // namespace sluice
