#include "app/accounts/password_hasher.hpp"

#include <gtest/gtest.h>

#include "base/outage.hpp"
#include "base/run_to_end.hpp"
#include "domain/legacy_password.hpp"

namespace sluice {
namespace {

constexpr PasswordHasher::Cost kCheap{.passes = 1, .memory_bytes = 8192};

TEST(PasswordHasher, RecognisesItsOwnHashes) {
    PasswordHasher hasher(1, 4, kCheap);
    const auto hash = run_to_end(hasher.hash("correct horse", {}));
    EXPECT_TRUE(hash.starts_with("$argon2id$"));
    EXPECT_TRUE(run_to_end(hasher.verify(hash, "correct horse", {})));
    EXPECT_FALSE(run_to_end(hasher.verify(hash, "wrong horse", {})));
    EXPECT_NE(hash, run_to_end(hasher.hash("correct horse", {}))) << "salted";
}

TEST(PasswordHasher, RecognisesALegacyPasswordUnderItsWrapping) {
    PasswordHasher hasher(1, 4, kCheap, "f1xed");
    for (const auto& scheme : legacy_schemes()) {
        const auto digest = legacy_digest(scheme, "f1xed", "correct horse", "s4lt");
        const auto hash = WrappedHash{&scheme, "s4lt", hasher.hash_now(digest)}.text();
        EXPECT_TRUE(run_to_end(hasher.verify(hash, "correct horse", {}))) << scheme.name;
        EXPECT_FALSE(run_to_end(hasher.verify(hash, "wrong horse", {}))) << scheme.name;
        EXPECT_FALSE(run_to_end(hasher.verify(hash, digest, {})))
            << "the stolen table is no password";
        PasswordHasher forgetful(1, 4, kCheap);
        EXPECT_EQ(run_to_end(forgetful.verify(hash, "correct horse", {})),
                  !scheme.needs_fixed_salt());
    }
}

TEST(PasswordHasher, NobodyHasNoPassword) {
    PasswordHasher hasher(1, 4, kCheap);
    EXPECT_FALSE(run_to_end(hasher.verify("", "", {})));
    EXPECT_FALSE(run_to_end(hasher.verify("", "nobody has this password", {})));
    EXPECT_FALSE(run_to_end(hasher.verify("rubbish", "rubbish", {})));
}

TEST(PasswordHasher, SaysSoWhenThereIsNoRoom) {
    PasswordHasher hasher(1, 0, kCheap);
    EXPECT_THROW(run_to_end(hasher.hash("x", {})), Overload);
}

}  // namespace
}  // namespace sluice
