#include <cstdio>
#include <set>

#include <boost/json/serialize.hpp>

#include "base/run_to_end.hpp"
#include "domain/phone.hpp"
#include "main/commands.hpp"
#include "main/store.hpp"

namespace sluice {
namespace {

constexpr std::size_t kPage = 1'000;

void tell_trail(Store& store, const char* action, const boost::json::object& after) {
    run_to_end(store.ledger.trail().add(
        store.command_line.make_deed(action, "", "", boost::json::serialize(after))));
}

class Rewriting {
  public:
    Rewriting(UserLedger& users, const PhoneForm& form, bool dry_run)
        : users_(users), form_(form), dry_run_(dry_run) {}

    void look_at(const User& user) {
        const auto canonical = form_.canonical(user.phone);
        if (shared_.contains(canonical)) return;
        auto spellings = form_.spellings(user.phone);
        if (spellings.size() < 2) return;
        const auto taken = run_to_end(users_.find_taken(std::move(spellings)));
        if (taken.size() > 1) {
            shared_.insert(canonical);
            tell_shared(canonical, taken);
        } else if (canonical != user.phone) {
            rewritten += dry_run_ || run_to_end(users_.set_phone(user.id, user.phone, canonical));
        }
    }

    std::size_t rewritten = 0;
    std::size_t shared() const { return shared_.size(); }

  private:
    void tell_shared(const std::string& canonical, const std::vector<std::string>& taken) {
        std::printf("%s has %zu accounts:\n", canonical.c_str(), taken.size());
        for (const auto& phone : taken) {
            const auto account = run_to_end(users_.find_by_phone(phone));
            if (account) std::printf("  %s  %s\n", phone.c_str(), account->user.id.text().c_str());
        }
    }

    UserLedger& users_;
    const PhoneForm& form_;
    const bool dry_run_;
    std::set<std::string> shared_;
};

}  // namespace

int canonical_phones_command(const Config& config, bool dry_run) {
    const auto* country = find_country(config.accounts.country);
    if (!country)
        throw std::runtime_error(
            "accounts.country is not set: without it every spelling is a phone of its own");
    Store store(config);
    const PhoneForm form(country);
    auto& users = store.ledger.users();
    if (!dry_run)
        tell_trail(store, "user.canonical_phones", {{"country", config.accounts.country}});
    Rewriting rewriting(users, form, dry_run);
    UserLedger::Wanted wanted{.phone = {}, .role = {}, .before = {}, .limit = kPage};
    for (;;) {
        const auto page = run_to_end(users.list(wanted));
        for (const auto& user : page) rewriting.look_at(user);
        if (page.size() < kPage) break;
        wanted.before = page.back().id;
    }
    std::printf(dry_run ? "%zu phones would be rewritten, %zu stay because several accounts share "
                          "them\n"
                        : "%zu phones rewritten, %zu stay because several accounts share them\n",
                rewriting.rewritten, rewriting.shared());
    return 0;
}

}  // namespace sluice
