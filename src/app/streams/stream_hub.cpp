#include "app/streams/stream_hub.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "app/catalog/json_view.hpp"
#include "base/check.hpp"

namespace sluice {
namespace {

/// Streams that get one message about a sale in one turn of their loop: about a millisecond.
constexpr std::size_t kTurn = 256;

}  // namespace

/// The streams of one event loop. Only its thread uses them, except for the count.
struct StreamHub::Shard {
    explicit Shard(Executor& on) : loop(on) {}

    struct Watcher {
        StreamListener* listener;
        std::uint64_t heard;  // edition
    };
    using Watchers = boost::unordered_flat_map<std::uint64_t, Watcher>;  // by the stream's number

    Executor& loop;
    std::atomic<std::size_t> listeners = 0;
    boost::unordered_flat_map<UserId, std::vector<StreamListener*>, std::hash<UserId>> of_buyers;
    boost::unordered_flat_map<std::uint64_t, StreamListener*> by_number;
    boost::unordered_flat_map<SaleId, Watchers, std::hash<SaleId>> of_sales;

    void tell(const BuyerNews& news) {
        const auto at = of_buyers.find(news.buyer);
        if (at == of_buyers.end()) return;
        for (auto* listener : at->second) listener->hear(news);
    }

    void tell(const Update& update) {
        const auto at = of_sales.find(update.sale);
        if (at == of_sales.end()) return;
        std::vector<std::uint64_t> crowd;
        crowd.reserve(at->second.size());
        for (const auto& [number, watcher] : at->second) crowd.push_back(number);
        send_in_turns(update, std::move(crowd));
    }

    /// Sends in several turns, so that a request need not wait until thousands of streams got the
    /// message.
    void send_in_turns(const Update& update, std::vector<std::uint64_t> crowd) {
        const auto at = of_sales.find(update.sale);
        if (at == of_sales.end()) return;
        for (std::size_t told = 0; told < kTurn && !crowd.empty(); ++told) {
            const auto found = at->second.find(crowd.back());
            crowd.pop_back();
            // Some streams leave while this is on its way; some have got a newer edition.
            if (found == at->second.end() || found->second.heard >= update.edition) continue;
            found->second.heard = update.edition;
            found->second.listener->hear(update.sale, update.words);
        }
        if (crowd.empty()) return;
        loop.post([this, update, crowd = std::move(crowd)]() mutable {
            send_in_turns(update, std::move(crowd));
        });
    }
};

StreamHub::StreamHub(const Catalog& catalog, const Clock& clock, std::span<Executor* const> loops,
                     Limits limits)
    : catalog_(catalog), clock_(clock), limits_(std::move(limits)) {
    for (auto* const loop : loops) shards_.push_back(std::make_unique<Shard>(*loop));
}

StreamHub::~StreamHub() = default;

std::expected<StreamHub::Reservation, StreamHub::Full> StreamHub::admit(const Guest& guest,
                                                                        unsigned loop) {
    CHECK(loop < shards_.size(), "each event loop has a shard");
    const MutexLock lock(mutex_);
    if (rows_.size() >= limits_.all) return std::unexpected(Full::of_all);
    const auto user = by_user_.find(guest.buyer);
    if (user != by_user_.end() && user->second >= limits_.per_user)
        return std::unexpected(Full::of_user);
    if (!limits_.exempts(guest.address) && is_full(guest.address))
        return std::unexpected(Full::of_address);
    ++by_user_[guest.buyer];
    ++by_household_[household_of(guest.address).base];
    ++by_site_[site_of(guest.address).base];
    const auto number = next_number_++;
    rows_.emplace(number, Row{guest, loop, clock_.now()});
    return Reservation(*this, loop, number, guest.buyer);
}

bool StreamHub::is_full(const Address& address) const {
    const auto household = by_household_.find(household_of(address).base);
    if (household != by_household_.end() && household->second >= limits_.per_address) return true;
    if (address.is_v4()) return false;
    const auto site = by_site_.find(site_of(address).base);
    return site != by_site_.end() && site->second >= limits_.per_address * kHouseholdsOfSite;
}

void StreamHub::give_back(std::uint64_t number) {
    const MutexLock lock(mutex_);
    const auto row = rows_.find(number);
    const auto lower = [](auto& counts, const auto& key) {
        const auto at = counts.find(key);
        if (--at->second == 0) counts.erase(at);
    };
    const auto& guest = row->second.guest;
    lower(by_user_, guest.buyer);
    lower(by_household_, household_of(guest.address).base);
    lower(by_site_, site_of(guest.address).base);
    rows_.erase(row);
}

bool StreamHub::may_want(UserId buyer) const noexcept {
    return listening_[std::hash<UserId>{}(buyer) >> 48].load(std::memory_order_acquire) > 0;
}

void StreamHub::tell(std::span<const BuyerNews> news) {
    spread(std::vector(news.begin(), news.end()));
}

template <class News>
void StreamHub::spread(std::vector<News> news) {
    if (news.empty()) return;
    const auto all = std::make_shared<const std::vector<News>>(std::move(news));
    for (auto& shard : shards_) {
        if (shard->listeners.load(std::memory_order_acquire) == 0) continue;
        shard->loop.post([&shard = *shard, all] {
            for (const auto& each : *all) shard.tell(each);
        });
    }
}

Task<> StreamHub::send_changed_sales() {
    const auto now = clock_.now();
    std::vector<Update> updates;
    {
        const MutexLock lock(mutex_);
        for (auto& [sale, board] : boards_) {
            const auto displayed = catalog_.sale(sale);
            if (!displayed) continue;
            const auto look = look_at(*displayed, now);
            if (look == board.look) continue;
            write(board, sale, look, now);
            updates.push_back({sale, board.words, board.edition});
        }
    }
    spread(std::move(updates));
    co_return;
}

StreamHub::Look StreamHub::look_at(const DisplayedSale& displayed, Timestamp now) {
    const auto& sale = displayed.sale;
    const auto stock = displayed.stock->now();
    return {.state = state_at(sale, stock, now),
            .stock = stock,
            .price_cents = sale.price_cents,
            .starts_at = sale.starts_at,
            .ends_at = end_of(sale)};
}

void StreamHub::write(Board& board, SaleId sale, const Look& look, Timestamp now) {
    boost::json::object json{{"type", "sale"},
                             {"id", sale.text()},
                             {"state", to_string(look.state)},
                             {"stock", to_json(look.stock)},
                             {"price_cents", look.price_cents},
                             {"starts_at", to_rfc3339(look.starts_at)},
                             {"ends_at", nullptr},
                             {"now", to_rfc3339(now)}};
    if (look.ends_at) json["ends_at"] = to_rfc3339(*look.ends_at);
    board.look = look;
    board.words = std::make_shared<const std::string>(boost::json::serialize(json));
    board.edition = ++editions_;
}

/// The message about a sale, which counts as watched from here on. nullopt if there is no such
/// sale.
std::optional<StreamHub::Update> StreamHub::look_up_board(SaleId sale) {
    const MutexLock lock(mutex_);
    auto at = boards_.find(sale);
    if (at == boards_.end()) {
        const auto displayed = catalog_.sale(sale);
        if (!displayed) return std::nullopt;
        const auto now = clock_.now();
        at = boards_.try_emplace(sale).first;
        write(at->second, sale, look_at(*displayed, now), now);
    }
    ++at->second.watchers;
    return Update{sale, at->second.words, at->second.edition};
}

void StreamHub::leave_board(SaleId sale) {
    const MutexLock lock(mutex_);
    const auto at = boards_.find(sale);
    if (--at->second.watchers == 0) boards_.erase(at);
}

std::vector<StreamHub::Presence> StreamHub::present() const {
    const MutexLock lock(mutex_);
    std::vector<Presence> all;
    all.reserve(rows_.size());
    for (const auto& [number, row] : rows_) all.push_back({number, row.guest, row.since});
    return all;
}

void StreamHub::dismiss(std::uint64_t number, Dismissal why) {
    unsigned loop = 0;
    {
        const MutexLock lock(mutex_);
        const auto row = rows_.find(number);
        if (row == rows_.end()) return;
        loop = row->second.loop;
    }
    shards_[loop]->loop.post([&shard = *shards_[loop], number, why] {
        const auto at = shard.by_number.find(number);
        if (at != shard.by_number.end()) at->second->dismiss(why);
    });
}

std::size_t StreamHub::NetworkHash::operator()(const Address& address) const noexcept {
    std::uint64_t halves[2];
    std::memcpy(halves, address.bytes.data(), sizeof halves);
    return static_cast<std::size_t>((halves[0] ^ (halves[1] << 1)) * 0x9e3779b97f4a7c15ULL);
}

StreamHub::Reservation::Reservation(StreamHub& hub, unsigned loop, std::uint64_t number,
                                    UserId buyer)
    : hub_(&hub), loop_(loop), number_(number), buyer_(buyer) {}

StreamHub::Reservation::Reservation(Reservation&& other) noexcept
    : hub_(std::exchange(other.hub_, nullptr)),
      loop_(other.loop_),
      number_(other.number_),
      buyer_(other.buyer_) {}

StreamHub::Reservation::~Reservation() {
    if (hub_) hub_->give_back(number_);
}

StreamHub::Seat::Seat(Reservation reservation, StreamListener& listener)
    : reservation_(std::move(reservation)), hub_(*reservation_.hub_), listener_(listener) {
    shard().of_buyers[reservation_.buyer_].push_back(&listener_);
    shard().by_number.emplace(reservation_.number_, &listener_);
    shard().listeners.fetch_add(1);
    hub_.listening_[std::hash<UserId>{}(reservation_.buyer_) >> 48].fetch_add(1);
}

StreamHub::Seat::~Seat() {
    while (!watched_.empty()) unwatch(watched_.back());
    hub_.listening_[std::hash<UserId>{}(reservation_.buyer_) >> 48].fetch_sub(1);
    shard().listeners.fetch_sub(1);
    const auto at = shard().of_buyers.find(reservation_.buyer_);
    std::erase(at->second, &listener_);
    if (at->second.empty()) shard().of_buyers.erase(at);
    shard().by_number.erase(reservation_.number_);
}

StreamHub::Shard& StreamHub::Seat::shard() const {
    return *hub_.shards_[reservation_.loop_];
}

StreamHub::Seat::Watched StreamHub::Seat::watch(SaleId sale) {
    const bool again = std::ranges::find(watched_, sale) != watched_.end();
    if (!again && watched_.size() >= hub_.limits_.watched) return Watched::too_many;
    const auto present = hub_.look_up_board(sale);
    if (!present) return Watched::no_such_sale;
    if (again)
        hub_.leave_board(sale);
    else
        watched_.push_back(sale);
    shard().of_sales[sale][reservation_.number_] = {&listener_, present->edition};
    listener_.hear(sale, present->words);
    return Watched::yes;
}

void StreamHub::Seat::unwatch(SaleId sale) {
    if (std::erase(watched_, sale) == 0) return;
    auto& of_sales = shard().of_sales;
    const auto at = of_sales.find(sale);
    at->second.erase(reservation_.number_);
    if (at->second.empty()) of_sales.erase(at);
    hub_.leave_board(sale);
}

}  // namespace sluice
