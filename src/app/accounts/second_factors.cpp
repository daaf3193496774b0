#include "app/accounts/second_factors.hpp"

#include <algorithm>

#include <sodium.h>

#include "base/check.hpp"
#include "base/keyed_hash.hpp"

namespace sluice {
namespace {

constexpr std::size_t kNonceBytes = crypto_secretbox_NONCEBYTES;
static_assert(sizeof(SealedSecret) == kNonceBytes + crypto_secretbox_MACBYTES + Totp::kSecretBytes);
static_assert(sizeof(SecondFactors::Key) == crypto_secretbox_KEYBYTES);

std::unexpected<Refusal> wrong_code() {
    return refuse(std::vector{FieldError{"code", Rule::wrong_code}});
}

}  // namespace

Task<SecondFactors::Shown> SecondFactors::check(Actor actor, std::optional<std::string> code) {
    const auto factor = co_await ledger_.find(actor.id);
    if (!factor || !factor->confirmed) co_return Shown::not_needed;
    if (!code) co_return Shown::nothing;
    const bool used = co_await use(actor.id, *factor, std::move(*code));
    if (used) co_return Shown::right;
    co_await watch_.note_wrong(std::move(actor));
    co_return Shown::wrong;
}

/// Whether it was a code that counted, and counts no more.
Task<bool> SecondFactors::use(UserId user, SecondFactor factor, std::string code) {
    const auto secret = unseal(factor.secret);
    std::optional<std::int64_t> step;
    if (secret) step = Totp(*secret).find_step(code, clock_.now(), factor.last_step);
    bool used = false;
    if (step) {
        used = co_await ledger_.use_step(user, *step);
    } else if (const auto letters = RecoveryCode::parse(code)) {
        const auto digest = digest_of(user, *letters);
        used = co_await ledger_.use_recovery_code(user, digest);
    }
    co_return used;
}

Task<SecondFactors::State> SecondFactors::look(UserId user) {
    const auto factor = co_await ledger_.find(user);
    State state;
    if (factor && factor->confirmed) state = {.on = true, .recovery_codes = factor->recovery_codes};
    co_return state;
}

Task<Outcome<SecondFactors::Begun>> SecondFactors::begin(UserId id, std::string password,
                                                         std::uint64_t party) {
    const auto user = co_await users_.find(id);
    std::optional<Account> account;
    if (user) account = co_await users_.find_by_phone(user->phone);
    const auto hash = account ? account->password_hash.value_or("") : std::string{};
    const PasswordHasher::Place place{HashLane::operators, party};
    const bool right = co_await hasher_.verify(hash, std::move(password), place);
    if (!right) co_return refuse(std::vector{FieldError{"password", Rule::wrong_password}});
    Begun begun{.secret = {}, .phone = user->phone};
    random_.fill(begun.secret);
    const auto sealed = seal(begun.secret);
    const bool is_kept = co_await ledger_.begin(id, sealed);
    if (!is_kept) co_return refuse(Reason::conflict, Detail::has_second_factor);
    co_return begun;
}

Task<Outcome<std::vector<std::string>>> SecondFactors::confirm(Caller caller, Actor actor,
                                                               std::string code) {
    const auto factor = co_await ledger_.find(caller.id);
    if (!factor) co_return refuse(Reason::conflict, Detail::no_second_factor);
    if (factor->confirmed) co_return refuse(Reason::conflict, Detail::has_second_factor);
    const auto secret = unseal(factor->secret);
    std::optional<std::int64_t> step;
    if (secret) step = Totp(*secret).find_step(code, clock_.now(), factor->last_step);
    if (!step) co_return wrong_code();

    SecondFactorLedger::Confirmation confirmation{.user = caller.id,
                                                  .secret = factor->secret,
                                                  .step = *step,
                                                  .recovery_codes = {},
                                                  .session = caller.session,
                                                  .deed = deed(actor, "user.second_factor_on")};
    std::vector<std::string> codes;
    for (std::size_t i = 0; i < kRecoveryCodes; ++i) {
        std::array<unsigned char, RecoveryCode::kRandomBytes> random;
        random_.fill(random);
        codes.push_back(RecoveryCode::make(random));
        confirmation.recovery_codes.push_back(
            digest_of(caller.id, RecoveryCode::parse(codes.back()).value()));
    }
    const auto ended = co_await ledger_.confirm(std::move(confirmation));
    if (!ended) co_return refuse(Reason::conflict, Detail::changed_meanwhile);
    co_await sessions_.forget(*ended);
    co_await sessions_.refresh(caller.id);
    co_return codes;
}

std::optional<Refusal> SecondFactors::why_not_removable(Role role) const {
    if (!is_required_of(role)) return std::nullopt;
    return Refusal{Reason::conflict, Detail::second_factor_stays, {}, {}};
}

Task<Outcome<Done>> SecondFactors::remove(Caller caller, Actor actor, std::string code) {
    const auto shown = co_await check(actor, std::move(code));
    if (shown == Shown::not_needed) co_return refuse(Reason::conflict, Detail::no_second_factor);
    if (shown != Shown::right) co_return wrong_code();
    auto line = deed(actor, "user.second_factor_off");
    co_await ledger_.remove(caller.id, std::move(line));
    co_await sessions_.refresh(caller.id);
    co_return Done{};
}

SealedSecret SecondFactors::seal(const Totp::Secret& secret) {
    SealedSecret sealed;
    random_.fill(std::span(sealed).first(kNonceBytes));
    crypto_secretbox_easy(sealed.data() + kNonceBytes, secret.data(), secret.size(), sealed.data(),
                          key_.data());
    return sealed;
}

std::optional<Totp::Secret> SecondFactors::unseal(const SealedSecret& sealed) const {
    Totp::Secret secret;
    if (crypto_secretbox_open_easy(secret.data(), sealed.data() + kNonceBytes,
                                   sealed.size() - kNonceBytes, sealed.data(), key_.data()) != 0)
        return std::nullopt;
    return secret;
}

RecoveryDigest SecondFactors::digest_of(UserId user, std::string_view letters) const {
    std::array<unsigned char, 8 + 12> text{};
    std::memcpy(text.data(), &user.value, sizeof user.value);
    CHECK(letters.size() == text.size() - 8, "a recovery code has twelve letters");
    std::ranges::copy(letters, text.begin() + 8);
    return keyed_hash<sizeof(RecoveryDigest)>(key_, text);
}

Deed SecondFactors::deed(const Actor& actor, const char* action) const {
    const auto now = clock_.now();
    return make_deed(actor, DeedId{ids_.next(now)}, now, action, actor.id.text(), "", "");
}

}  // namespace sluice
