#include "adapters/system/clock_note.hpp"

#include <cstdio>
#include <fstream>
#include <string>

namespace sluice {
namespace {

/// Stands after the numbers while nobody has relied on the time.
constexpr auto kUnused = " unused";

/// A new one after each start of the machine; empty where the kernel does not provide one.
std::string boot_id() {
    std::ifstream in("/proc/sys/kernel/random/boot_id");
    std::string id;
    in >> id;
    return id;
}

}  // namespace

std::optional<FormerTime> read_clock_note(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string id;
    std::int64_t boot = 0, shop = 0;
    std::string rest;
    in >> id >> boot >> shop;
    std::getline(in, rest);
    // The end of the line shows that it is complete.
    if (!in || in.eof() || boot < 0 || shop < 0) return std::nullopt;
    if (!rest.empty() && rest != kUnused) return std::nullopt;
    const auto now = boot_id();
    return FormerTime{.boot = ShopTime::Duration{boot},
                      .shop = ShopTime::Duration{shop},
                      .same_boot = !now.empty() && id == now,
                      .relied_on = rest.empty()};
}

bool write_clock_note(const std::filesystem::path& file, const FormerTime& former) {
    static const std::string id = boot_id();
    auto draft = file;
    draft += ".new";
    std::FILE* out = std::fopen(draft.c_str(), "we");
    if (!out) return false;
    const bool written = std::fprintf(out, "%s %lld %lld%s\n", id.empty() ? "-" : id.c_str(),
                                      static_cast<long long>(former.boot.count()),
                                      static_cast<long long>(former.shop.count()),
                                      former.relied_on ? "" : kUnused) > 0;
    const bool closed = std::fclose(out) == 0;
    return written && closed && std::rename(draft.c_str(), file.c_str()) == 0;
}

}  // namespace sluice
