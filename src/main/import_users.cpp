#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <thread>
#include <unordered_set>

#include <boost/json/serialize.hpp>

#include "app/accounts/user_import.hpp"
#include "base/mutex.hpp"
#include "base/run_to_end.hpp"
#include "main/commands.hpp"
#include "main/store.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;

/// Users in one transaction. An interruption loses at most so many, and progress is shown as often.
constexpr std::size_t kUsersAtOnce = 64;

std::string read_whole(const fs::path& file) {
    if (fs::is_directory(file)) throw std::runtime_error(file.string() + " is a folder");
    std::ifstream in(file, std::ios::binary);
    std::string text;
    if (in) text.resize(std::min<std::uintmax_t>(fs::file_size(file), kMaxImportBytes + 1));
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!in) throw std::runtime_error("cannot read " + file.string());
    if (text.size() > kMaxImportBytes)
        throw std::runtime_error(file.string() + " is larger than 256 MiB: split it");
    return text;
}

void print_error(const fs::path& file, std::size_t line, const std::string& message) {
    std::fprintf(stderr, "%s:%zu: %s\n", file.c_str(), line, message.c_str());
}

using Users = std::span<const ImportedUser>;

template <class Step>
void in_chunks(Users users, Step step) {
    for (; !users.empty(); users = users.subspan(std::min(kUsersAtOnce, users.size())))
        step(users.first(std::min(kUsersAtOnce, users.size())));
}

/// The phones that are taken already, in any spelling.
std::unordered_set<std::string> find_taken(UserLedger& ledger, const PhoneForm& form, Users users) {
    std::unordered_set<std::string> taken;
    in_chunks(users, [&](Users chunk) {
        std::vector<std::string> phones;
        for (const auto& user : chunk)
            for (auto& spelling : form.spellings(user.phone)) phones.push_back(std::move(spelling));
        for (const auto& found : run_to_end(ledger.find_taken(std::move(phones))))
            taken.insert(form.canonical(found));
    });
    return taken;
}

/// Runs work(0) to work(count - 1) on all cores; throws one of the exceptions.
template <class Work>
void on_all_cores(std::size_t count, Work work) {
    std::atomic<std::size_t> next = 0;
    Mutex mutex;  // for the failure
    std::exception_ptr failure;
    std::vector<std::jthread> threads;
    const auto cores = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < std::min<std::size_t>(cores, count); ++i)
        threads.emplace_back([&] {
            try {
                for (std::size_t at = next++; at < count; at = next++) work(at);
            } catch (...) {
                const MutexLock lock(mutex);
                failure = std::current_exception();
                next = count;
            }
        });
    threads.clear();
    if (failure) std::rethrow_exception(failure);
}

std::vector<Account> wrap(Store& store, const LegacyScheme& scheme, Users users) {
    const auto now = store.clock.now();
    std::vector<Account> accounts(users.size());
    on_all_cores(users.size(), [&](std::size_t i) {
        const auto& user = users[i];
        const WrappedHash hash{&scheme, user.salt, store.hasher.hash_now(user.digest)};
        accounts[i] = {.user = {.id = UserId{store.ids.next(now)},
                                .phone = user.phone,
                                .name = user.name,
                                .role = user.role,
                                .created_at = now},
                       .password_hash = hash.text()};
    });
    return accounts;
}

/// Written before the first user and after the last. So no user is imported without a deed, and an
/// import that was interrupted has no second deed.
void tell_trail(Store& store, std::string action, const boost::json::object& after) {
    run_to_end(store.ledger.trail().add(
        store.command_line.make_deed(std::move(action), "", "", boost::json::serialize(after))));
}

class Progress {
  public:
    explicit Progress(std::size_t total) : total_(total) {}

    void tell(std::size_t done) const {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
        const double left =
            spent.count() / static_cast<double>(done) * static_cast<double>(total_ - done);
        std::fprintf(stderr, "\rimported %zu of %zu users, about %.0f s left   ", done, total_,
                     left);
        if (done == total_) std::fprintf(stderr, "\n");
    }

  private:
    const std::size_t total_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

int tell_dry_run(std::size_t users, std::size_t taken) {
    std::printf("%zu users would be imported, %zu exist already\n", users, taken);
    return 0;
}

}  // namespace

int import_command(const Config& config, const ImportCommand& command) {
    const auto& scheme = *command.scheme;
    if (scheme.needs_fixed_salt() && config.accounts.legacy_fixed_salt.empty())
        throw std::runtime_error("the scheme " + std::string(scheme.name) +
                                 " needs accounts.legacy_fixed_salt: set it in the configuration "
                                 "file or as SLUICE_ACCOUNTS_LEGACY_FIXED_SALT");
    const PhoneForm form(find_country(config.accounts.country));
    auto table = read_import(read_whole(command.file), scheme, form);
    for (const auto& [line, message] : table.errors) print_error(command.file, line, message);
    if (table.more_errors) std::fprintf(stderr, "and more; nothing was imported\n");
    if (!table.errors.empty()) return 1;

    if (command.dry_run && !has_ledger(config)) return tell_dry_run(table.users.size(), 0);
    Store store(config, command.dry_run ? Store::IfAbsent::fail : Store::IfAbsent::make);
    auto& ledger = store.ledger.users();
    const auto taken = find_taken(ledger, form, table.users);
    if (!command.skip_existing && !taken.empty()) {
        for (const auto& user : table.users)
            if (taken.contains(user.phone))
                print_error(command.file, user.line, "the phone " + user.phone + " is taken");
        std::fprintf(stderr, "nothing was imported; --skip-existing leaves these as they are\n");
        return 1;
    }
    std::erase_if(table.users, [&](const auto& user) { return taken.contains(user.phone); });
    if (command.dry_run) return tell_dry_run(table.users.size(), taken.size());

    tell_trail(store, "user.import", {{"users", table.users.size()}, {"scheme", scheme.name}});
    const Progress progress(table.users.size());
    std::size_t done = 0, taken_meanwhile = 0;
    in_chunks(table.users, [&](Users chunk) {
        const auto refused = run_to_end(ledger.add_free(wrap(store, scheme, chunk), std::nullopt));
        for (const auto& user : chunk)
            if (std::ranges::find(refused, user.phone) != refused.end())
                print_error(command.file, user.line, "somebody has just taken this phone");
        taken_meanwhile += refused.size();
        done += chunk.size();
        progress.tell(done);
    });
    tell_trail(store, "user.imported", {{"users", done - taken_meanwhile}});
    std::printf("%zu users imported, %zu existed already\n", done - taken_meanwhile,
                taken.size() + taken_meanwhile);
    return taken_meanwhile == 0 || command.skip_existing ? 0 : 1;
}

}  // namespace sluice
