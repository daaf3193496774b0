#include "base/fair_threads.hpp"

#include <algorithm>

#include <pthread.h>

#include "base/check.hpp"

namespace sluice {

void FairThreads::Lane::put(std::uint64_t name, Job job) {
    auto at = places.find(name);
    if (at == places.end()) {
        parties.push_back({name, {}});
        at = places.emplace(name, std::prev(parties.end())).first;
    }
    at->second->jobs.push_back(std::move(job));
    ++waiting;
}

FairThreads::Job FairThreads::Lane::take() {
    const auto party = parties.begin();
    Job job = std::move(party->jobs.front());
    party->jobs.pop_front();
    --waiting;
    if (party->jobs.empty()) {
        places.erase(party->name);
        parties.erase(party);
    } else {
        parties.splice(parties.end(), parties, party);  // its next turn comes after all others
    }
    return job;
}

std::optional<FairThreads::Job> FairThreads::Lane::displace_for(std::uint64_t name) {
    const auto most =
        std::ranges::max_element(parties, {}, [](const Party& party) { return party.jobs.size(); });
    if (most == parties.end()) return std::nullopt;
    const auto own = places.find(name);
    const auto had = own == places.end() ? 0 : own->second->jobs.size();
    if (most->jobs.size() <= had + 1) return std::nullopt;
    Job job = std::move(most->jobs.back());
    most->jobs.pop_back();
    --waiting;
    return job;
}

FairThreads::FairThreads(std::string name, std::size_t threads, std::size_t lanes,
                         std::size_t backlog)
    : backlog_(backlog), lanes_(lanes) {
    for (std::size_t i = 0; i < threads; ++i)
        threads_.emplace_back([this, title = name + "-" + std::to_string(i)] {
            pthread_setname_np(pthread_self(), title.substr(0, 15).c_str());
            run();
        });
}

FairThreads::~FairThreads() {
    {
        const MutexLock lock(mutex_);
        stopping_ = true;
    }
    ready_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void FairThreads::submit(Place place, Job job) {
    // Told without the lock, because whoever is told may call again at once.
    if (auto loser = enter(place, std::move(job))) (*loser)(false);
}

std::optional<FairThreads::Job> FairThreads::enter(Place place, Job job) {
    std::optional<Job> displaced;
    {
        const MutexLock lock(mutex_);
        CHECK(place.lane < lanes_.size(), "the lane exists");
        auto& lane = lanes_[place.lane];
        if (stopping_) return job;
        if (lane.waiting >= backlog_) {
            displaced = lane.displace_for(place.party);
            if (!displaced) return job;
        }
        lane.put(place.party, std::move(job));
    }
    ready_.notify_one();
    return displaced;
}

std::size_t FairThreads::waiting(std::size_t lane) const {
    const MutexLock lock(mutex_);
    return lanes_.at(lane).waiting;
}

void FairThreads::run() {
    // Destroyed here, so that what a job holds is released before the next wait.
    while (auto job = take()) (*job)(true);
}

std::optional<FairThreads::Job> FairThreads::take() {
    const MutexLock lock(mutex_);
    while (is_empty() && !stopping_) ready_.wait(mutex_);
    if (is_empty()) return std::nullopt;
    while (lanes_[next_].waiting == 0) next_ = (next_ + 1) % lanes_.size();
    auto& lane = lanes_[next_];
    next_ = (next_ + 1) % lanes_.size();
    return lane.take();
}

bool FairThreads::is_empty() const {
    return std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.waiting == 0; });
}

}  // namespace sluice
