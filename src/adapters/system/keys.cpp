#include "adapters/system/keys.hpp"

#include <cerrno>
#include <cstring>
#include <string>

#include <sodium.h>
#include <unistd.h>

#include "adapters/system/secret_file.hpp"
#include "base/encoding.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using Master = std::array<unsigned char, crypto_kdf_KEYBYTES>;

/// Written under another name and then linked to its own, so that nobody ever reads half a key, and
/// the first of two processes that make one wins.
void make_master(const fs::path& file) {
    Master master;
    crypto_kdf_keygen(master.data());
    const auto draft = fs::path(file.string() + "." + std::to_string(::getpid()));
    write_secret(draft, to_hex(master) + "\n");
    const bool linked = ::link(draft.c_str(), file.c_str()) == 0 || errno == EEXIST;
    const std::string why = std::strerror(errno);
    ::unlink(draft.c_str());
    if (!linked) throw KeyError("cannot make " + file.string() + ": " + why);
    // The name must survive a power cut as well as the bytes: without it every session is lost.
    sync_folder(file.parent_path());
}

Master read_master(const fs::path& file) {
    Master master;
    const auto text = read_secret(file, master.size() * 2 + 2);
    std::size_t decoded = 0;
    const bool whole = text.size() >= master.size() * 2 &&
                       sodium_hex2bin(master.data(), master.size(), text.data(), master.size() * 2,
                                      nullptr, &decoded, nullptr) == 0 &&
                       decoded == master.size();
    if (!whole)
        throw KeyError(file.string() +
                       " is damaged. Restore it from a backup, or remove it to make a new "
                       "one: everybody then has to log in again.");
    return master;
}

}  // namespace

Keys load_keys(const fs::path& data) {
    const auto file = data / "master.key";
    if (!fs::exists(file)) make_master(file);
    const auto master = read_master(file);
    Keys keys;
    const auto derive = [&](auto& out, std::uint64_t number) {
        crypto_kdf_derive_from_key(out.data(), out.size(), number, "sluice__", master.data());
    };
    derive(keys.sessions, 1);
    derive(keys.receipts, 2);
    derive(keys.limits, 3);
    derive(keys.tickets, 5);  // 4 was for passes, which have keys of their own by now
    derive(keys.sandbox, 10);
    derive(keys.webhooks, 11);
    derive(keys.devices, 20);
    derive(keys.second_factors, 21);
    derive(keys.phone_codes, 22);
    derive(keys.work_challenges, 23);
    derive(keys.identity, 30);
    derive(keys.pass_keys, 31);
    return keys;
}

}  // namespace sluice
