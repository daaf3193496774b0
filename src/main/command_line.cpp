#include "main/command_line.hpp"

#include <array>

#include <pwd.h>
#include <unistd.h>

#include "base/encoding.hpp"

namespace sluice {
namespace {

std::string name_of_os_user() {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 4096> buffer;
    ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
    if (found && *found->pw_name && is_utf8(found->pw_name)) return found->pw_name;
    return "uid " + std::to_string(::getuid());
}

}  // namespace

std::int64_t draw_part_of_command(Random& random) {
    constexpr std::int64_t kUpperHalf = 512;
    std::array<unsigned char, 2> bytes;
    random.fill(bytes);
    return kUpperHalf | ((bytes[0] << 8 | bytes[1]) & (kUpperHalf - 1));
}

IdSource make_id_source(Random& random) {
    return IdSource(static_cast<std::uint32_t>(draw_part_of_command(random)));
}

Deed CommandLine::make_deed(std::string action, std::string subject, std::string before,
                            std::string after) const {
    const auto now = clock_.now();
    return {.id = DeedId{ids_.next(now)},
            .at = now,
            .actor = std::nullopt,
            .os_user = name_of_os_user(),
            .address = "",
            .request_id = "",
            .action = std::move(action),
            .subject = std::move(subject),
            .before = std::move(before),
            .after = std::move(after)};
}

}  // namespace sluice
