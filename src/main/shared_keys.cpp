#include "main/shared_keys.hpp"

#include <sodium.h>

#include "adapters/system/secret_file.hpp"
#include "base/encoding.hpp"
#include "base/run_to_end.hpp"
#include "main/data_folder.hpp"

namespace sluice {
namespace {

constexpr auto kMaster = "master";
constexpr auto kPassKeys = "pass_keys";

}  // namespace

void expect_same_master_key(mariadb::Ledger& ledger, const Keys& keys,
                            const std::filesystem::path& folder, const std::string& address) {
    const auto ours = to_hex(keys.identity);
    if (run_to_end(ledger.keep_key(kMaster, ours)) == ours) return;
    throw DataError(
        "the ledger at " + address + " belongs to another master.key than " +
        (folder / "master.key").string() +
        ". All servers of a shop need the same one: copy it from the data folder of another "
        "server, for its owner's eyes only (mode 0600). If it is lost for good, run DELETE FROM "
        "ledger_keys on the database; then the next start takes the key that it finds, and "
        "everybody has to log in again.");
}

void SharedPassKeys::bring(Random& random, Timestamp now) {
    auto sealed = run_to_end(ledger_.find_key(kPassKeys));
    if (!sealed) {
        file_.read_or_make(random, now);
        sealed = run_to_end(ledger_.keep_key(kPassKeys, seal(file_.text())));
    }
    take(*sealed);
}

Task<> SharedPassKeys::look() {
    const auto sealed = co_await ledger_.find_key(kPassKeys);
    if (sealed) take(*sealed);
}

PassKey SharedPassKeys::rotate(Random& random, Timestamp now, bool drop_old) {
    bring(random, now);
    const auto before = run_to_end(ledger_.find_key(kPassKeys)).value_or("");
    const auto lead = drop_old ? std::chrono::seconds{0} : kLead;
    const auto fresh = file_.rotate(random, now, drop_old, lead);
    if (!run_to_end(ledger_.replace_key(kPassKeys, before, seal(file_.text())))) {
        bring(random, now);
        throw KeyError("somebody else has rotated the keys at the same moment; try again");
    }
    return fresh;
}

void SharedPassKeys::take(const std::string& sealed) {
    const auto text = open(sealed);
    if (!file_.exists() || file_.text() != text) file_.replace(text);
}

std::string SharedPassKeys::seal(const std::string& text) const {
    std::vector<unsigned char> sealed(crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES +
                                      text.size());
    randombytes_buf(sealed.data(), crypto_secretbox_NONCEBYTES);
    crypto_secretbox_easy(sealed.data() + crypto_secretbox_NONCEBYTES,
                          reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                          sealed.data(), key_.data());
    return to_hex(sealed);
}

std::string SharedPassKeys::open(const std::string& sealed) const {
    constexpr auto kOverhead = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
    std::vector<unsigned char> bytes(sealed.size() / 2);
    std::size_t size = 0;
    const bool is_hex = sodium_hex2bin(bytes.data(), bytes.size(), sealed.data(), sealed.size(),
                                       nullptr, &size, nullptr) == 0;
    std::string text(is_hex && size > kOverhead ? size - kOverhead : 0, '\0');
    const bool is_ours =
        !text.empty() && crypto_secretbox_open_easy(reinterpret_cast<unsigned char*>(text.data()),
                                                    bytes.data() + crypto_secretbox_NONCEBYTES,
                                                    size - crypto_secretbox_NONCEBYTES,
                                                    bytes.data(), key_.data()) == 0;
    if (!is_ours) throw KeyError("the keys of passes in the ledger cannot be opened");
    return text;
}

}  // namespace sluice
