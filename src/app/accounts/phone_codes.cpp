#include "app/accounts/phone_codes.hpp"

#include <cstring>
#include <span>
#include <sstream>

#include <sodium.h>

#include "base/encoding.hpp"
#include "base/names.hpp"
#include "base/outage.hpp"

namespace sluice {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint64_t kCodes = 1'000'000;
constexpr int kAttempts = 10;  // tries while others change the same code

constexpr Names<CodePurpose::password> kPurposes({{CodePurpose::registration, "registration"},
                                                  {CodePurpose::password, "password"}});

/// In the same time wherever the two differ.
bool is_same_code(std::string_view given, std::string_view code) {
    return given.size() == code.size() &&
           sodium_memcmp(given.data(), code.data(), code.size()) == 0;
}

}  // namespace

std::optional<CodePurpose> parse_code_purpose(std::string_view text) {
    return kPurposes.parse(text);
}

Task<std::string> PhoneCodes::issue(CodePurpose purpose, std::string phone, CodeBearer bearer) {
    const auto name = name_of(purpose, phone);
    for (int i = 0; i < kAttempts; ++i) {
        auto found = co_await read(name);
        const auto entry = make_entry(found.entry, bearer, clock_.now());
        const bool done = co_await replace(name, std::move(found), entry);
        if (done) co_return code_of(name, entry);
    }
    throw Overload("too many ask for the same code");
}

/// The code that is out, or a new one.
PhoneCodes::Entry PhoneCodes::make_entry(const std::optional<Entry>& before, CodeBearer bearer,
                                         Timestamp now) {
    Entry entry{.made_at = now};
    random_.fill(entry.number);
    if (before) {
        auto known = *before;
        const bool goes_on =
            !known.spent && now - known.made_at < kRenewable && tries_of(known, bearer) < kTries;
        if (goes_on) {
            entry = known;
        } else {
            // Whoever has asked before can use the new code as well: it goes to the same phone.
            entry.bearers = known.bearers;
            for (auto& each : entry.bearers)
                if (each) each->tries = 0;
        }
    }
    entry.ends_at = now + kLife;
    note_bearer(entry, bearer);
    return entry;
}

Task<Done> PhoneCodes::expect(CodePurpose purpose, std::string phone, CodeBearer bearer) {
    const auto name = name_of(purpose, phone);
    for (int i = 0; i < kAttempts; ++i) {
        auto found = co_await read(name);
        if (!found.entry) co_return Done{};
        auto entry = *found.entry;
        note_bearer(entry, bearer);
        const bool done = co_await replace(name, std::move(found), entry);
        if (done) co_return Done{};
    }
    throw Overload("too many ask for the same code");
}

Task<bool> PhoneCodes::redeem(CodePurpose purpose, std::string phone, CodeBearer bearer,
                              std::string code) {
    const auto name = name_of(purpose, phone);
    for (int i = 0; i < kAttempts; ++i) {
        auto found = co_await read(name);
        if (!found.entry || found.entry->spent) co_return false;
        auto entry = *found.entry;
        auto& tries = tries_of(entry, bearer);
        if (tries >= kTries) co_return false;
        const bool right = is_same_code(code, code_of(name, entry));
        if (right)
            entry.spent = true;
        else
            ++tries;
        // Only the caller whose write succeeded has spent the code, or has made a try.
        const bool done = co_await replace(name, std::move(found), entry);
        if (done) co_return right;
    }
    throw Overload("too many try the same code");
}

Task<Done> PhoneCodes::give_back(CodePurpose purpose, std::string phone, std::string code) {
    const auto name = name_of(purpose, phone);
    for (int i = 0; i < kAttempts; ++i) {
        auto found = co_await read(name);
        // If a newer code was issued meanwhile, the newer one counts.
        if (!found.entry || !is_same_code(code, code_of(name, *found.entry))) co_return Done{};
        auto entry = *found.entry;
        entry.spent = false;
        const bool done = co_await replace(name, std::move(found), entry);
        if (done) co_return Done{};
    }
    throw Overload("too many use the same code");
}

Task<PhoneCodes::Read> PhoneCodes::read(std::string name) {
    Read found;
    found.text = co_await box_.read(std::move(name));
    if (found.text) found.entry = decode(*found.text);
    if (found.entry && found.entry->ends_at <= clock_.now()) found.entry.reset();
    co_return found;
}

Task<bool> PhoneCodes::replace(std::string name, Read read, Entry entry) {
    auto text = encode(entry);
    return box_.replace(std::move(name), std::move(read.text), std::move(text), entry.ends_at);
}

std::string PhoneCodes::encode(const Entry& entry) {
    std::ostringstream text;
    text << to_base64url(entry.number) << ' ' << to_millis(entry.made_at) << ' '
         << to_millis(entry.ends_at) << ' ' << entry.spent << ' ' << entry.tries_of_others;
    for (std::size_t i = 0; i < entry.bearers.size(); ++i)
        if (const auto& each = entry.bearers[i])
            text << ' ' << i << ' ' << each->bearer.name << ' ' << each->tries;
    return text.str();
}

/// nullopt: not a text that we wrote.
std::optional<PhoneCodes::Entry> PhoneCodes::decode(std::string_view text) {
    std::istringstream in{std::string(text)};
    Entry entry;
    std::string number;
    std::int64_t made_at = 0;
    std::int64_t ends_at = 0;
    in >> number >> made_at >> ends_at >> entry.spent >> entry.tries_of_others;
    if (!in || !from_base64url(number, entry.number)) return std::nullopt;
    entry.made_at = from_millis(made_at);
    entry.ends_at = from_millis(ends_at);
    std::size_t place = 0;
    BearerTries each;
    while (in >> place >> each.bearer.name >> each.tries) {
        if (place >= entry.bearers.size()) return std::nullopt;
        each.bearer.is_device = place >= kNetworks;
        entry.bearers[place] = each;
    }
    return entry;
}

std::string PhoneCodes::name_of(CodePurpose purpose, std::string_view phone) const {
    std::string text(1, static_cast<char>(purpose));
    text.append(phone);
    // The input is longer than that of a code, so the two hashes never coincide.
    std::array<unsigned char, 24> digest;
    crypto_generichash(digest.data(), digest.size(), bytes_of(text).data(), text.size(),
                       key_.data(), key_.size());
    return to_base64url(digest);
}

/// Nothing if there is no room for another bearer: then they share the tries of all others.
void PhoneCodes::note_bearer(Entry& entry, CodeBearer bearer) {
    const auto bearers = bearer.is_device ? std::span(entry.bearers).subspan(kNetworks)
                                          : std::span(entry.bearers).first(kNetworks);
    for (auto& each : bearers) {
        if (!each) each = BearerTries{bearer};
        if (each->bearer == bearer) return;
    }
}

int& PhoneCodes::tries_of(Entry& entry, CodeBearer bearer) {
    for (auto& each : entry.bearers)
        if (each && each->bearer == bearer) return each->tries;
    return entry.tries_of_others;
}

std::string PhoneCodes::code_of(std::string_view name, const Entry& entry) const {
    std::string text(reinterpret_cast<const char*>(entry.number.data()), entry.number.size());
    text.append(name);
    std::array<unsigned char, 16> digest;
    crypto_generichash(digest.data(), digest.size(), bytes_of(text).data(), text.size(),
                       key_.data(), key_.size());
    std::uint64_t number = 0;
    std::memcpy(&number, digest.data(), sizeof number);
    // 2^64 is so much larger than a million that every code is practically equally likely.
    auto code = std::to_string(number % kCodes);
    code.insert(0, kDigits - code.size(), '0');
    return code;
}

}  // namespace sluice
