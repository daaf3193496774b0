#pragma once

#include <cstdint>

namespace sluice {

/// What somebody who holds the phone may do with a code that was sent to it.
enum class CodePurpose : unsigned char { registration, password };

/// Who asks for a code, and who shows it: a network, or a device that is known for the phone.
struct CodeBearer {
    std::uint64_t name = 0;
    bool is_device = false;

    friend bool operator==(const CodeBearer&, const CodeBearer&) = default;
};

}  // namespace sluice
