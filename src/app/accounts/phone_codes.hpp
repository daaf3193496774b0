#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "domain/phone_code.hpp"
#include "ports/clock.hpp"
#include "ports/code_box.hpp"
#include "ports/random.hpp"

namespace sluice {

std::optional<CodePurpose> parse_code_purpose(std::string_view text);

/// Codes that are out, each for one phone and one purpose. A code is six digits, is valid for ten
/// minutes and counts once.
///
/// Anybody may ask for a code to anybody's phone, and guess at it. Neither may keep the owner from
/// using theirs. So whoever asks while a code is out gets the same code again, and wrong tries
/// count against whoever makes them. The first few who have asked have five tries each; all others
/// together have five. A new code replaces one that has been out for long, or whose asker has no
/// tries left.
///
/// Codes are kept in a box as numbers. Only with the key can a code be made from its number, and
/// the name of an entry from its phone. Safe from any thread; every call may throw Outage.
class PhoneCodes {
  public:
    using Key = std::array<unsigned char, 32>;

    static constexpr std::chrono::minutes kLife{10};       // since it was sent, or sent again
    static constexpr std::chrono::minutes kRenewable{20};  // since it was made
    static constexpr int kTries = 5;
    static constexpr std::size_t kNetworks = 3;  // that have tries of their own
    static constexpr std::size_t kDevices = 2;   // likewise

    PhoneCodes(const Key& key, CodeBox& box, const Clock& clock, Random& random)
        : key_(key), box_(box), clock_(clock), random_(random) {}

    /// The code to send. `phone` in its canonical form, as in the calls below. Throws Overload when
    /// too many are out.
    Task<std::string> issue(CodePurpose purpose, std::string phone, CodeBearer bearer);

    /// The caller asked for a code that was just sent because somebody else asked for it. If a code
    /// is out, the caller has tries of their own, as if it had been sent for them.
    Task<Done> expect(CodePurpose purpose, std::string phone, CodeBearer bearer);

    /// Whether it is the code: then it is spent. A wrong one counts as a try.
    Task<bool> redeem(CodePurpose purpose, std::string phone, CodeBearer bearer, std::string code);

    /// The code was right, but what it was for did not happen: it counts again, until its original
    /// end.
    Task<Done> give_back(CodePurpose purpose, std::string phone, std::string code);

    bool is_full() const { return box_.is_full(); }

  private:
    struct BearerTries {
        CodeBearer bearer;
        int tries = 0;  // wrong ones
    };
    struct Entry {
        std::array<unsigned char, 16> number{};  // what the key makes the code from
        Timestamp made_at{};
        Timestamp ends_at{};
        bool spent = false;  // kept until its time, so that it can be given back
        int tries_of_others = 0;
        std::array<std::optional<BearerTries>, kNetworks + kDevices>
            bearers{};  // devices come last
    };
    /// What was read, for a caller who will change it.
    struct Read {
        std::optional<std::string> text;
        std::optional<Entry> entry;  // unless its time is over
    };

    static std::string encode(const Entry& entry);
    static std::optional<Entry> decode(std::string_view text);
    std::string name_of(CodePurpose purpose, std::string_view phone) const;
    Task<Read> read(std::string name);
    Task<bool> replace(std::string name, Read read, Entry entry);
    static void note_bearer(Entry& entry, CodeBearer bearer);
    static int& tries_of(Entry& entry, CodeBearer bearer);
    Entry make_entry(const std::optional<Entry>& before, CodeBearer bearer, Timestamp now);
    std::string code_of(std::string_view name, const Entry& entry) const;

    const Key key_;
    CodeBox& box_;
    const Clock& clock_;
    Random& random_;
};

}  // namespace sluice
