#include "observe/funnel_counts.hpp"

#include "base/check.hpp"

namespace sluice {
namespace {

/// Only one thread writes, so this is as good as an atomic addition, and cheaper.
void add_one(std::atomic<std::uint32_t>& counter) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

FunnelCounts::FunnelCounts(std::size_t codes, unsigned threads) : codes_(codes) {
    blocks_.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) blocks_.emplace_back(codes);
}

std::optional<std::size_t> FunnelCounts::find(std::int64_t sale) const noexcept {
    const auto first = first_of_set(sale);
    for (std::size_t place = first; place < first + kSet; ++place)
        if (sales_[place].load(std::memory_order_relaxed) == sale) return place;
    return std::nullopt;
}

std::optional<std::size_t> FunnelCounts::take(std::int64_t sale) noexcept {
    const auto first = first_of_set(sale);
    for (;;) {
        if (const auto place = find(sale)) return place;
        std::size_t place = first;
        while (place < first + kSet && sales_[place].load(std::memory_order_relaxed) != 0) ++place;
        if (place == first + kSet) return std::nullopt;
        // If another thread was quicker, look again: it may have taken the place for the same sale.
        std::int64_t free = 0;
        if (sales_[place].compare_exchange_strong(free, sale, std::memory_order_acq_rel))
            return place;
    }
}

void FunnelCounts::count(unsigned thread, std::size_t place, Step step) noexcept {
    CHECK(thread < blocks_.size() && place < kPlaces, "each thread and place has a line");
    add_one(blocks_[thread].lines[place].steps[static_cast<std::size_t>(step)]);
}

void FunnelCounts::count_refusal(unsigned thread, std::size_t place, std::size_t code) noexcept {
    CHECK(thread < blocks_.size() && place < kPlaces && code < codes_, "each code has a counter");
    add_one(blocks_[thread].refusals[place * codes_ + code]);
}

void FunnelCounts::count_latency(unsigned thread, std::size_t place,
                                 std::chrono::nanoseconds took) noexcept {
    CHECK(thread < blocks_.size() && place < kPlaces, "each thread and place has a line");
    add_one(blocks_[thread].lines[place].latency[LatencyCounts::index_of(took)]);
}

FunnelCounts::Counts FunnelCounts::read(std::size_t place) const {
    Counts sum;
    sum.refusals.resize(codes_);
    for (const auto& block : blocks_) {
        const auto& line = block.lines[place];
        for (std::size_t i = 0; i < kSteps; ++i)
            sum.steps[i] += line.steps[i].load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < LatencyCounts::kSize; ++i)
            sum.latency.counts[i] += line.latency[i].load(std::memory_order_relaxed);
        for (std::size_t i = 0; i < codes_; ++i)
            sum.refusals[i] += block.refusals[place * codes_ + i].load(std::memory_order_relaxed);
    }
    return sum;
}

/// Ids made in a row differ only in their low bits; the product's high bits depend on all of them.
std::size_t FunnelCounts::first_of_set(std::int64_t sale) noexcept {
    constexpr std::size_t kSets = kPlaces / kSet;
    static_assert(kSets == 64, "six bits name a set");
    return ((static_cast<std::uint64_t>(sale) * 0x9e3779b97f4a7c15ULL) >> 58) * kSet;
}

}  // namespace sluice
