#include "main/demo.hpp"

#include <algorithm>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "app/catalog/json_view.hpp"
#include "base/encoding.hpp"
#include "base/run_to_end.hpp"

namespace sluice {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct DemoItem {
    const char* title;
    const char* description;
    const char* picture;
    std::int64_t list_price_cents;
    // Its flash sale; a negative start means that it has begun already.
    std::chrono::minutes starts_in;
    std::int64_t price_cents;
    std::int64_t stock;
    Challenge challenge;
};

constexpr DemoItem kItems[] = {
    {"Aurora phone · 极光手机",
     "Six inches of northern light. One to a customer.\n六英寸极光屏，每人限购一台。",
     "/assets/demo/phone.svg", 499'900, -5min, 99'900, 100, Challenge::none},
    {"Quiet headphones · 静音耳机",
     "The only thing you will hear is the countdown.\n只听得见倒计时。",
     "/assets/demo/headphones.svg", 129'900, 3min, 19'900, 50, Challenge::math},
    {"Celadon tea set · 青瓷茶具", "Six cups, one pot, no hurry.\n六杯一壶，不急不躁。",
     "/assets/demo/tea-set.svg", 68'800, -2min, 8'800, 20, Challenge::pow},
    {"City bicycle · 城市单车", "Seven gears and a bell.\n七速变速，附车铃。",
     "/assets/demo/bicycle.svg", 259'900, 3 * 24 * 60min, 1'900, 5, Challenge::none},
};

std::string random_password(Random& random) {
    std::array<unsigned char, 12> bytes;
    random.fill(bytes);
    return to_base64url(bytes);
}

/// A login left by an earlier fill that did not finish, or made by hand, is reused with a new
/// password: nobody was told the old one, or they are told the new one now.
UserId give_login(Store& store, const User& user, const std::string& password) {
    auto& ledger = store.ledger.users();
    const auto make_deed = [&](const char* action, UserId id, std::string after) {
        return store.command_line.make_deed(action, id.text(), "", std::move(after));
    };
    const Account account{.user = user, .password_hash = store.hasher.hash_now(password)};
    const auto taken = run_to_end(
        ledger.add_free({account}, make_deed("user.add", user.id, role_json(user.role))));
    if (taken.empty()) return user.id;
    const auto id = run_to_end(ledger.find_by_phone(user.phone))->user.id;
    run_to_end(
        ledger.set_password_hash(id, *account.password_hash, make_deed("user.password", id, "")));
    run_to_end(ledger.set_role(id, user.role, make_deed("user.role", id, role_json(user.role))));
    return id;
}

std::string add_login(Store& store, RegisterUser& registration, const char* title,
                      const char* phone, const char* name, Role role, UserId& id) {
    const auto password = random_password(store.random);
    const auto user = registration.draft(phone, password, name, role);
    id = give_login(store, *user, password);
    return std::string(title) + phone + "  password " + password + "\n";
}

/// A demo item that is not on sale yet; `item` when it exists already.
struct Missing {
    const DemoItem* demo;
    std::optional<ItemId> item;
};

/// What has still to be added: everything to an empty store, the rest where a fill was interrupted,
/// nothing where somebody else has added an item.
std::vector<Missing> find_missing(const Catalog& catalog, Timestamp now) {
    std::vector<Missing> missing;
    std::size_t ours = 0;
    const auto shown = catalog.list_items(std::nullopt, std::size(kItems) + 1, now);
    for (const auto& demo : kItems) {
        const auto found =
            std::ranges::find(shown, demo.title, [](const auto& each) { return each.item->title; });
        if (found == shown.end()) {
            missing.push_back({&demo, std::nullopt});
            continue;
        }
        ++ours;
        if (catalog.sales_of(found->item->id) == 0) missing.push_back({&demo, found->item->id});
    }
    return ours == shown.size() ? missing : std::vector<Missing>{};
}

ItemId add_item(const DemoItem& demo, const Actor& actor, ItemEditor& items) {
    const ItemDraft wish{.title = demo.title,
                         .description = demo.description,
                         .image_url = demo.picture,
                         .list_price_cents = demo.list_price_cents,
                         .currency = "CNY"};
    const auto item = items.draft(wish);
    run_to_end(items.create(*item, actor, std::nullopt)).value();
    return item->id;
}

void add_sale(const DemoItem& demo, ItemId item, const Actor& actor, Timestamp now,
              SaleEditor& sales) {
    SaleDraft flash;
    flash.price_cents = demo.price_cents;
    flash.starts_at = now + demo.starts_in;
    flash.ends_at = std::optional(*flash.starts_at + 7 * 24h);
    flash.stock = demo.stock;
    flash.challenge = demo.challenge;
    flash.challenge_alternative = Challenge::pow;
    const auto sale = sales.draft(item, flash);
    run_to_end(sales.create(*sale, actor, std::nullopt)).value();
}

void keep(const fs::path& file, const std::string& text) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const bool kept =
        fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (fd >= 0) ::close(fd);
    if (!kept) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

std::string fill_demo(Store& store, const Catalog& catalog, RegisterUser& registration,
                      ItemEditor& items, SaleEditor& sales) {
    const auto file = store.folder.path() / "demo-logins.txt";
    const auto now = store.clock.now();
    const auto missing = find_missing(catalog, now);
    if (missing.empty()) {
        std::ifstream in(file);
        const std::string kept(std::istreambuf_iterator<char>(in), {});
        return kept.empty() ? "The store is not empty, so no demo data was added.\n" : kept;
    }
    Actor actor{.id = {}, .address = "127.0.0.1", .request_id = "demo"};
    UserId shopper;
    std::string logins = add_login(store, registration, "Operator: phone ", "10000001",
                                   "Demo operator", Role::operator_, actor.id);
    logins += add_login(store, registration, "Shopper:  phone ", "10000002", "Demo shopper",
                        Role::buyer, shopper);
    keep(file, logins);  // before the items, by which a later start recognises a fill
    for (const auto& [demo, item] : missing)
        add_sale(*demo, item ? *item : add_item(*demo, actor, items), actor, now, sales);
    return logins;
}

}  // namespace sluice
