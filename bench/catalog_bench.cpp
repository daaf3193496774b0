// How long readers of the catalog and the ledger's thread wait for each other, with as many sales
// as there may be: readers look sales up without a pause, while the ledger's thread puts what it
// has committed and somebody reloads the whole catalog. catalog_bench [READERS] [SECONDS]

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "app/catalog/catalog.hpp"
#include "base/run_to_end.hpp"

namespace sluice {
namespace {

using Stopwatch = std::chrono::steady_clock;

constexpr std::int64_t kSales = 100'000;
constexpr std::int64_t kItems = 1'000;

/// A ledger that holds them all, like SQLite after a start.
class FullLedger final : public CatalogLedger {
  public:
    FullLedger() {
        for (std::int64_t id = 1; id <= kItems; ++id) {
            Item item;
            item.id = ItemId{id};
            item.title = "Tea set " + std::to_string(id);
            item.description = std::string(200, 'x');
            item.currency = "CNY";
            contents.items.push_back(item);
        }
        for (std::int64_t id = 1; id <= kSales; ++id) {
            Sale sale;
            sale.id = SaleId{id};
            sale.item_id = ItemId{1 + id % kItems};
            sale.currency = "CNY";
            sale.stock = {.total = 100, .left = 100, .held = 0, .sold = 0};
            contents.sales.push_back(sale);
        }
    }

    Contents contents;

    Task<Contents> load() override { co_return contents; }
    Task<Outcome<Created>> add_item(Item, Deed, std::optional<Receipt>) override {
        co_return Created{};
    }
    Task<Outcome<Done>> update_item(Item, Deed) override { co_return Done{}; }
    Task<Outcome<Created>> add_sale(Sale, Deed, std::optional<Receipt>) override {
        co_return Created{};
    }
    Task<Outcome<SaleChanged>> change_sale(SaleId, DecideSale, std::optional<Receipt>) override {
        co_return SaleChanged{};
    }
};

/// How long each of many calls took.
class Durations {
  public:
    template <class Call>
    void measure(Call call) {
        const auto began = Stopwatch::now();
        call();
        took_.push_back(
            std::chrono::duration<double, std::micro>(Stopwatch::now() - began).count());
    }
    void add(const Durations& other) {
        took_.insert(took_.end(), other.took_.begin(), other.took_.end());
    }
    void print(const char* what) {
        if (took_.empty()) return;
        std::ranges::sort(took_);
        const auto at = [&](double share) {
            return took_[static_cast<std::size_t>(static_cast<double>(took_.size() - 1) * share)];
        };
        std::printf("%-28s %10zu calls, us: p50 %9.1f  p99 %9.1f  p99.9 %9.1f  longest %11.1f\n",
                    what, took_.size(), at(0.5), at(0.99), at(0.999), took_.back());
    }

  private:
    std::vector<double> took_;
};

/// One phase: readers look sales up; `change` is made a thousand times a second, or as often as it
/// can be, until the time is over.
template <class Change>
void run_phase(const char* name, Catalog& catalog, unsigned readers, std::chrono::seconds length,
               Change change) {
    std::atomic<bool> over = false;
    std::vector<Durations> reads(readers);
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < readers; ++i)
        threads.emplace_back([&, i] {
            std::int64_t id = 1 + i * 7'919;
            while (!over) {
                id = 1 + (id * 48'271) % kSales;
                reads[i].measure([&] { catalog.sale(SaleId{id}); });
            }
        });
    Durations changes;
    const auto end = Stopwatch::now() + length;
    while (Stopwatch::now() < end) {
        changes.measure(change);
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    over = true;
    for (auto& thread : threads) thread.join();
    for (unsigned i = 1; i < readers; ++i) reads[0].add(reads[i]);
    std::printf("%s\n", name);
    reads[0].print("  a reader looks a sale up");
    changes.print("  the change itself");
}

void run(unsigned readers, std::chrono::seconds length) {
    FullLedger ledger;
    Catalog catalog(ledger);
    run_to_end(catalog.reload());
    std::printf("%lld sales, %u readers without a pause, %lld s each\n",
                static_cast<long long>(kSales), readers, static_cast<long long>(length.count()));
    Sale sale = ledger.contents.sales.front();
    run_phase("a purchase is committed (only the stock)", catalog, readers, length, [&] {
        --sale.stock.left;
        catalog.put_news(sale);
    });
    run_phase("a sale is edited (a new version)", catalog, readers, length, [&] {
        ++sale.version;
        catalog.put_news(sale);
    });
    run_phase("an item with 100 sales is edited", catalog, readers, length, [&] {
        auto& item = ledger.contents.items.front();
        ++item.version;
        catalog.put(item);
    });
    ledger.contents.sales.front() = sale;
    run_phase("the catalog is reloaded", catalog, readers, length,
              [&] { run_to_end(catalog.reload()); });
}

}  // namespace
}  // namespace sluice

int main(int count, char** arguments) {
    const unsigned readers = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 4;
    const std::chrono::seconds length{count > 2 ? std::atoi(arguments[2]) : 3};
    sluice::run(readers, length);
}
