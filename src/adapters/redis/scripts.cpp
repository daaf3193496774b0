#include "adapters/redis/scripts.hpp"

#include <algorithm>
#include <array>

#include <openssl/evp.h>

#include "adapters/redis/lua.hpp"
#include "base/check.hpp"
#include "base/encoding.hpp"

namespace sluice::redis {
namespace {

constexpr std::string_view kPrelude = "prelude.lua";
constexpr std::string_view kDeskPrelude = "desk_prelude.lua";
/// The prefixes of the names of scripts that are not about a hot copy.
constexpr std::array<std::string_view, 4> kDesks{"session_", "place_", "count_", "code_"};

/// As Redis names a script.
std::string sha1_of(const std::string& text) {
    std::array<unsigned char, 20> digest;
    unsigned size = digest.size();
    CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) == 1,
          "OpenSSL has SHA-1");
    return to_hex(digest);
}

std::string_view text_of(std::string_view name) {
    const auto found =
        std::ranges::find(lua::files, name, [](const auto& file) { return file.first; });
    CHECK(found != lua::files.end(), "the file is embedded");
    return found->second;
}

std::string_view prelude_of(std::string_view file) {
    const bool is_desk =
        std::ranges::any_of(kDesks, [&](std::string_view desk) { return file.starts_with(desk); });
    return text_of(is_desk ? kDeskPrelude : kPrelude);
}

std::vector<Script> make_scripts() {
    std::vector<Script> all;
    for (const auto& [file, body] : lua::files) {
        if (file == kPrelude || file == kDeskPrelude) continue;
        auto text = std::string(prelude_of(file)) + std::string(body);
        auto sha = sha1_of(text);
        all.push_back({file.substr(0, file.find('.')), std::move(text), std::move(sha)});
    }
    return all;
}

}  // namespace

const std::vector<Script>& scripts() {
    static const auto all = make_scripts();
    return all;
}

const Script& script(std::string_view name) {
    const auto found = std::ranges::find(scripts(), name, &Script::name);
    CHECK(found != scripts().end(), "the script is embedded");
    return *found;
}

}  // namespace sluice::redis
