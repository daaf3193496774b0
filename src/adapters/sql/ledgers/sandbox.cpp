#include "adapters/sql/ledgers/sandbox.hpp"

#include <algorithm>

#include "adapters/sql/payment_rows.hpp"
#include "adapters/sql/rows.hpp"
#include "adapters/sql/statements.hpp"
#include "base/id_source.hpp"
#include "domain/sandbox_rules.hpp"

namespace sluice::ledgers {
namespace {

std::optional<SandboxBill> as_bill(const std::optional<SandboxAccountRow>& account) {
    if (!account) return std::nullopt;
    return SandboxBill{.is_paid = account->paid, .presses = account->presses};
}

void add_letter(Database& database, const SandboxLedger::Letter& letter) {
    database.run(sql::add_sandbox_letter, letter.id, letter.body, letter.due_at);
}

Outcome<SandboxLedger::Account> press_button(Database& database, const std::string& ref, bool pays,
                                             const std::vector<SandboxLedger::Letter>& letters) {
    auto found = database.row<SandboxAccountRow>(sql::find_sandbox_account, ref);
    if (auto no = why_not_pressed(as_bill(found))) return std::unexpected(std::move(*no));
    database.run(sql::press_sandbox_button, ref, pays);
    for (const auto& letter : letters) add_letter(database, letter);
    found->paid = pays;
    return to_sandbox_account(std::move(*found));
}

}  // namespace

Task<SandboxLedger::Account> SandboxBooks::open(Account draft, Timestamp now) {
    return writer_.write<Account>([draft = std::move(draft), now](Database& database) {
        database.run(sql::open_sandbox_account, draft.ref, draft.payment, draft.amount_cents,
                     draft.currency, now);
        return to_sandbox_account(
            database.value<SandboxAccountRow>(sql::find_sandbox_account_of, draft.payment));
    });
}

Task<std::optional<SandboxLedger::Account>> SandboxBooks::find(std::string ref) {
    return readers_.read<std::optional<Account>>([ref = std::move(ref)](Database& database) {
        return database.row<SandboxAccountRow>(sql::find_sandbox_account, ref)
            .transform(to_sandbox_account);
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
        if (database.has_row(sql::has_sandbox_refund, key)) return Done{};
        const auto account = database.row<SandboxAccountRow>(sql::find_sandbox_account_of, payment);
        if (auto no = why_not_sent_back(as_bill(account))) return std::unexpected(std::move(*no));
        database.run(sql::add_sandbox_refund, key, charge.ref, charge.amount_cents, letter.due_at);
        add_letter(database, letter);
        return Done{};
    });
}

Task<SandboxLedger::Post> SandboxBooks::post(Timestamp now, std::size_t limit) {
    return readers_.read<Post>([now, limit](Database& database) {
        return Post{
            .due = database.rows<LetterRow>(sql::list_due_letters, now, limit).to_vector(to_letter),
            .next = database.value<std::optional<Timestamp>>(sql::next_letter, now)};
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

}  // namespace sluice::ledgers
