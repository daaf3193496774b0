#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "app/expiring_table.hpp"
#include "base/mutex.hpp"
#include "ports/clock.hpp"
#include "ports/random.hpp"

namespace sluice {

/// What somebody who holds the phone may do with a code.
enum class CodePurpose : unsigned char { registration, password };

std::optional<CodePurpose> parse_code_purpose(std::string_view text);

/// Codes that are out, each for one phone and one purpose. A code is six digits, is good for ten
/// minutes, counts once, and is void after five wrong tries; a new one takes the place of the one
/// before. Kept in memory as keyed digests: a restart forgets them, and whoever waits asks for
/// another. Safe from any thread.
class PhoneCodes {
  public:
    using Key = std::array<unsigned char, 32>;

    static constexpr std::chrono::minutes kLife{10};
    static constexpr int kTries = 5;
    static constexpr std::size_t kMost = 100'000;

    PhoneCodes(const Key& key, const Clock& clock, Random& random)
        : key_(key), clock_(clock), random_(random) {}

    /// `phone` in its canonical form, here and below. Throws Overload when too many are out.
    std::string issue(CodePurpose purpose, std::string_view phone);

    /// Whether it is the code: then it is spent. A wrong one counts as a try.
    bool redeem(CodePurpose purpose, std::string_view phone, std::string_view code);

    /// It was right, but what it was for did not happen: the code counts again, until the end it
    /// had.
    void give_back(CodePurpose purpose, std::string_view phone, std::string_view code);

    /// How many are kept, spent ones too.
    std::size_t size() const;

  private:
    using Digest = std::array<unsigned char, 16>;
    struct Entry {
        Digest digest{};
        int tries = 0;       // wrong ones
        bool spent = false;  // kept until its time, so that it can be given back
    };
    static std::string name_of(CodePurpose purpose, std::string_view phone);
    Digest digest_of(std::string_view name, std::string_view code) const;

    const Key key_;
    const Clock& clock_;
    Random& random_;
    mutable Mutex mutex_;
    ExpiringTable<std::string, Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace sluice
