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

/// As Redis names a script.
std::string sha1_of(const std::string& text) {
    std::array<unsigned char, 20> digest;
    unsigned size = digest.size();
    CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) == 1,
          "OpenSSL has SHA-1");
    return to_hex(digest);
}

std::vector<Script> make_scripts() {
    const auto prelude =
        std::ranges::find(lua::files, kPrelude, [](const auto& file) { return file.first; });
    CHECK(prelude != lua::files.end(), "the prelude is embedded");
    std::vector<Script> all;
    for (const auto& [file, body] : lua::files) {
        if (file == kPrelude) continue;
        auto text = std::string(prelude->second) + std::string(body);
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
