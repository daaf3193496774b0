#pragma once

#include <cstdint>

namespace sluice {

/// What a code that was sent to a phone allows.
enum class CodePurpose : unsigned char { registration, password };

/// Who asks for a code or shows one: a network, or a device that is known for the phone.
struct CodeBearer {
    std::uint64_t name = 0;
    bool is_device = false;

    friend bool operator==(const CodeBearer&, const CodeBearer&) = default;
};

}  // namespace sluice
