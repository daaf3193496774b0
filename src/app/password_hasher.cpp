#include "app/password_hasher.hpp"

#include <sodium.h>

#include "base/run_on.hpp"
#include "domain/legacy_password.hpp"

namespace sluice {

PasswordHasher::PasswordHasher(std::size_t threads, std::size_t backlog, Cost cost,
                               std::string legacy_fixed_salt)
    : cost_(cost),
      legacy_fixed_salt_(std::move(legacy_fixed_salt)),
      decoy_(hash_now("nobody has this password")),
      threads_("hasher", threads, backlog) {}

Task<std::string> PasswordHasher::hash(std::string password) {
    return run<std::string>([this, password = std::move(password)] { return hash_now(password); });
}

Task<bool> PasswordHasher::verify(std::string hash, std::string password) {
    return run<bool>([this, hash = std::move(hash), password = std::move(password)] {
        const bool right = matches(hash.empty() ? decoy_ : hash, password);
        return right && !hash.empty();
    });
}

bool PasswordHasher::matches(const std::string& hash, const std::string& password) const {
    const auto verify = [](const std::string& argon2, const std::string& text) {
        return crypto_pwhash_str_verify(argon2.c_str(), text.data(), text.size()) == 0;
    };
    const auto wrapped = WrappedHash::parse(hash);
    if (!wrapped) return verify(hash, password);
    return verify(wrapped->argon2,
                  legacy_digest(*wrapped->scheme, legacy_fixed_salt_, password, wrapped->salt));
}

std::string PasswordHasher::hash_now(const std::string& password) const {
    std::string text(crypto_pwhash_STRBYTES, '\0');
    if (crypto_pwhash_str_alg(text.data(), password.data(), password.size(), cost_.passes,
                              cost_.memory_bytes, crypto_pwhash_ALG_ARGON2ID13) != 0)
        throw Outage("not enough memory to hash a password");
    text.resize(text.find('\0'));
    return text;
}

template <class T, class Work>
Task<T> PasswordHasher::run(Work work) {
    return run_on<T>(threads_, "too many passwords are being checked", std::move(work));
}

}  // namespace sluice
