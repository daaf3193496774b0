#include "app/accounts/password_hasher.hpp"

#include <sodium.h>

#include "base/outage.hpp"
#include "domain/legacy_password.hpp"

namespace sluice {

PasswordHasher::PasswordHasher(std::size_t threads, std::size_t backlog, Cost cost,
                               std::string legacy_fixed_salt)
    : cost_(cost),
      legacy_fixed_salt_(std::move(legacy_fixed_salt)),
      decoy_(hash_now("nobody has this password")),
      threads_("hasher", threads, kHashLanes, backlog) {}

Task<std::string> PasswordHasher::hash(std::string password, Place place) {
    return run<std::string>(place,
                            [this, password = std::move(password)] { return hash_now(password); });
}

Task<bool> PasswordHasher::verify(std::string hash, std::string password, Place place) {
    return run<bool>(place, [this, hash = std::move(hash), password = std::move(password)] {
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
Task<T> PasswordHasher::run(Place place, Work work) {
    return await_completion<T>([this, place, work = std::move(work)](Completion<T> done) mutable {
        threads_.submit({static_cast<std::size_t>(place.lane), place.party},
                        [done = std::move(done), work = std::move(work)](bool has_place) mutable {
                            if (!has_place)
                                return done(std::make_exception_ptr(
                                                Overload("too many passwords are being checked")),
                                            T{});
                            T result{};
                            std::exception_ptr error;
                            try {
                                result = work();
                            } catch (...) {
                                error = std::current_exception();
                            }
                            done(error, std::move(result));
                        });
    });
}

}  // namespace sluice
