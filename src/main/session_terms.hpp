#pragma once

#include "adapters/memory/memory_session_store.hpp"
#include "config/config.hpp"

namespace sluice {

inline SessionTerms terms_of(const Config::Accounts& config) {
    return {.length = std::chrono::minutes{config.session_minutes},
            .longest = std::chrono::days{config.session_days},
            .staff_need_second_factor = config.second_factor == SecondFactorRule::required};
}

}  // namespace sluice
