#include "adapters/redis/follower.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sluice::redis {
namespace {

constexpr std::size_t kAtOnce = 1'000;

}  // namespace

Task<> Follower::follow() {
    return reading_.run([this] { return follow_once(); }, [this] { lose(); });
}

void Follower::lose() {
    if (!std::exchange(is_lost_, true)) views_.note_lost();
    next_look_ = {};
}

Task<> Follower::follow_once() {
    const auto began = Clock::now();
    if (began >= next_look_) {
        co_await look_at_copies();
        next_look_ = began + kPull;
    }
    const bool has_read_all = co_await read_logs();
    is_lost_ = false;
    if (has_read_all) views_.note_heard(began);
}

Task<> Follower::look_at_copies() {
    auto listed = co_await reader_.sales();
    std::set<SaleId> sales(listed.begin(), listed.end());
    for (const auto& [sale, view] : views_.all()) sales.insert(sale);
    std::vector<SaleId> all(sales.begin(), sales.end());
    std::vector<Position> known;
    known.reserve(all.size());
    for (const auto sale : all) known.push_back(views_.of(sale)->position());
    const auto heads = co_await reader_.heads(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto view = views_.of(all[i]);
        if (!heads[i]) {
            view->close(known[i].epoch);
            if (!std::ranges::binary_search(listed, all[i])) views_.drop(all[i]);
            continue;
        }
        // If the same epoch has gone back, it is another copy.
        if (known[i].epoch == heads[i]->at.epoch && heads[i]->at < known[i])
            view->close(known[i].epoch);
        if (view->position().epoch != heads[i]->at.epoch) co_await load(all[i]);
    }
}

/// False when there is more.
Task<bool> Follower::read_logs() {
    std::map<std::string, SaleId, std::less<>> sale_of;
    std::vector<std::string> logs, positions;
    for (const auto& [sale, view] : views_.all()) {
        const auto position = view->position();
        if (position.epoch == 0) continue;
        logs.push_back(keys_.log(sale));
        positions.push_back(to_text(position));
        sale_of.emplace(logs.back(), sale);
    }
    if (logs.empty()) {
        co_await reading_.wait();
        co_return true;
    }
    Call call{.script = nullptr,
              .words = {"XREAD", "COUNT", std::to_string(kAtOnce), "BLOCK",
                        std::to_string(LogFollower::kWait.count()), "STREAMS"},
              .waits = LogFollower::kWait};
    call.words.insert(call.words.end(), logs.begin(), logs.end());
    call.words.insert(call.words.end(), positions.begin(), positions.end());
    const auto reply = co_await client_.call(std::move(call));
    if (reply.view().is_nil()) co_return true;
    bool has_read_all = true;
    for (std::size_t i = 0; i < reply.size(); ++i) {
        const auto sale = sale_of.find(reply[i][0].text());
        if (sale == sale_of.end()) continue;
        co_await read_stream(sale->second, reply[i][1]);
        if (reply[i][1].size() >= kAtOnce) has_read_all = false;
    }
    co_return has_read_all;
}

Task<> Follower::read_stream(SaleId sale, ReplyView entries) {
    const auto view = views_.of(sale);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (view->follow(read_entry(entries[i]))) continue;
        co_await load(sale);
        co_return;
    }
}

Task<> Follower::load(SaleId sale) {
    const auto asked_at = Clock::now();
    const auto known = views_.of(sale)->position();
    const auto copy = co_await reader_.copy(sale);
    const auto view = views_.of(sale);
    if (copy)
        view->load(*copy, asked_at);
    else
        view->close(known.epoch);
}

}  // namespace sluice::redis
