#include "adapters/sqlite/ledgers/sandbox.hpp"

#include <algorithm>

#include "adapters/sqlite/engine/statements.hpp"
#include "base/check.hpp"
#include "base/id_source.hpp"

namespace sluice::sqlite {
namespace {

/// Buttons of one bill. Each press writes a row or two that stay.
constexpr std::int64_t kMostPresses = 20;

struct Found {
    SandboxLedger::Account account;
    std::int64_t presses;
};

template <class Key>
std::optional<Found> find_account(Database& database, std::string_view query, const Key& key) {
    auto row = database.query(query, key);
    if (!row.step()) return std::nullopt;
    return Found{{.ref = row.template column<std::string>(0),
                  .payment = row.template column<PaymentId>(1),
                  .amount_cents = row.template column<std::int64_t>(2),
                  .currency = row.template column<std::string>(3),
                  .paid = row.template column<bool>(4)},
                 row.template column<std::int64_t>(5)};
}

void add_letter(Database& database, const SandboxLedger::Letter& letter) {
    database.run(sql::add_sandbox_letter, letter.id, letter.body, letter.due_at);
}

Outcome<SandboxLedger::Account> press_button(Database& database, const std::string& ref, bool pays,
                                             const std::vector<SandboxLedger::Letter>& letters) {
    auto found = find_account(database, sql::find_sandbox_account, ref);
    if (!found) return refuse(Reason::not_found);
    if (found->account.paid || found->presses >= kMostPresses) return refuse(Reason::conflict);
    database.run(sql::press_sandbox_button, ref, pays);
    for (const auto& letter : letters) add_letter(database, letter);
    found->account.paid = pays;
    return std::move(found->account);
}

}  // namespace

Task<SandboxLedger::Account> SandboxBooks::open(Account draft, Timestamp now) {
    return writer_.write<Account>([draft = std::move(draft), now](Database& database) {
        database.run(sql::open_sandbox_account, draft.ref, draft.payment, draft.amount_cents,
                     draft.currency, now);
        auto found = find_account(database, sql::find_sandbox_account_of, draft.payment);
        CHECK(found.has_value(), "it was added, or there before");
        return std::move(found->account);
    });
}

Task<std::optional<SandboxLedger::Account>> SandboxBooks::find(std::string ref) {
    return readers_.read<std::optional<Account>>(
        [ref = std::move(ref)](Database& database) -> std::optional<Account> {
            auto found = find_account(database, sql::find_sandbox_account, ref);
            if (!found) return std::nullopt;
            return std::move(found->account);
        });
}

Task<Outcome<SandboxLedger::Account>> SandboxBooks::press(std::string ref, bool pays,
                                                          std::vector<Letter> letters) {
    return writer_.write<Outcome<Account>>(
        [ref = std::move(ref), pays, letters = std::move(letters)](Database& database) {
            return press_button(database, ref, pays, letters);
        });
}

Task<Outcome<Done>> SandboxBooks::refund(std::string key, PaymentId payment, Charge charge,
                                         Letter letter) {
    return writer_.write<Outcome<Done>>([key = std::move(key), payment, charge = std::move(charge),
                                         letter = std::move(letter)](
                                            Database& database) -> Outcome<Done> {
        if (database.query(sql::has_sandbox_refund, key).step()) return Done{};
        const auto bill = find_account(database, sql::find_sandbox_account_of, payment);
        if (!bill || !bill->account.paid) return refuse(Reason::not_found);
        database.run(sql::add_sandbox_refund, key, charge.ref, charge.amount_cents, letter.due_at);
        add_letter(database, letter);
        return Done{};
    });
}

Task<SandboxLedger::Post> SandboxBooks::post(Timestamp now, std::size_t limit) {
    return readers_.read<Post>([now, limit](Database& database) {
        Post post;
        auto rows = database.query(sql::list_due_letters, now, limit);
        while (rows.step())
            post.due.push_back({.id = rows.column<LetterId>(0),
                                .body = rows.column<std::string>(1),
                                .due_at = rows.column<Timestamp>(2),
                                .attempts = rows.column<std::int64_t>(3)});
        auto next = database.query(sql::next_letter, now);
        if (next.step()) post.next = next.column<std::optional<Timestamp>>(0);
        return post;
    });
}

Task<Done> SandboxBooks::note_delivered(LetterId id, Timestamp now) {
    return writer_.write<Done>([id, now](Database& database) {
        database.run(sql::note_letter_delivered, id, now);
        return Done{};
    });
}

Task<Done> SandboxBooks::put_off(LetterId id, std::optional<Timestamp> until) {
    return writer_.write<Done>([id, until](Database& database) {
        database.run(sql::put_off_letter, id, until);
        return Done{};
    });
}

Task<std::size_t> SandboxBooks::prune(Timestamp before, std::size_t limit) {
    return writer_.write<std::size_t>([before, limit](Database& database) {
        const auto first_kept = IdSource::first_at(before);
        const auto letters = database.run(sql::prune_sandbox_letters, first_kept, limit);
        const auto accounts = database.run(sql::prune_sandbox_accounts, first_kept, limit);
        return std::max(letters, accounts);
    });
}

}  // namespace sluice::sqlite
