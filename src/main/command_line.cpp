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

IdSource make_id_source(Random& random) {
    std::array<unsigned char, 2> bytes;
    random.fill(bytes);
    return IdSource(static_cast<std::uint32_t>(bytes[0] << 8 | bytes[1]));
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
