#pragma once

#include "domain/pass_keys.hpp"

namespace sluice::testing_support {

/// A key that tests can recognise by its number.
inline PassKey pass_key(std::uint16_t id, Timestamp made_at = {}) {
    return {.id = id, .secret = {static_cast<unsigned char>(id), 1}, .made_at = made_at};
}

}  // namespace sluice::testing_support
