#include "app/catalog/picture_shelf.hpp"

#include <utility>

#include "base/outage.hpp"

namespace sluice {

PictureShelf::Jpeg PictureShelf::peek(const PictureName& name) {
    const auto now = clock_.now();
    const MutexLock lock(mutex_);
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return nullptr;
    const auto place = found->second;
    if (now >= place->read_at + kLife) {
        drop(place);
        return nullptr;
    }
    places_.splice(places_.begin(), places_, place);
    return place->jpeg;
}

Task<PictureShelf::Jpeg> PictureShelf::find(PictureName name) {
    while (!begin_reading(name)) {
        auto answer = co_await wait_for(name);
        if (answer) co_return std::move(*answer);
        if (auto jpeg = peek(name)) co_return jpeg;
    }
    Jpeg jpeg;
    std::exception_ptr failure;
    try {
        auto read = co_await ledger_.find(name);
        if (read) jpeg = std::make_shared<const std::string>(std::move(*read));
    } catch (...) {
        failure = std::current_exception();
    }
    end_reading(name, jpeg, failure);
    if (failure) std::rethrow_exception(failure);
    co_return jpeg;
}

bool PictureShelf::begin_reading(const PictureName& name) {
    using std::chrono::seconds;
    const auto second = std::chrono::floor<seconds>(clock_.now());
    const MutexLock lock(mutex_);
    if (read_.contains(name)) return false;
    if (second != second_) {
        second_ = second;
        reads_ = 0;
    }
    if (reads_ >= kMostReadsInSecond) throw Overload("too many pictures are being read");
    ++reads_;
    read_.try_emplace(name);
    return true;
}

Task<PictureShelf::Answer> PictureShelf::wait_for(PictureName name) {
    return await_completion<Answer>([this, name](Completion<Answer> done) {
        {
            const MutexLock lock(mutex_);
            const auto reading = read_.find(name);
            if (reading != read_.end()) {
                reading->second.push_back(std::move(done));
                return;
            }
        }
        done(nullptr, std::nullopt);
    });
}

void PictureShelf::end_reading(const PictureName& name, const Jpeg& jpeg,
                               const std::exception_ptr& failure) {
    std::vector<Completion<Answer>> waiting;
    {
        const MutexLock lock(mutex_);
        waiting = std::move(read_.extract(name).mapped());
        if (jpeg) keep(name, jpeg);
    }
    for (auto& done : waiting) done(failure, Answer(jpeg));
}

void PictureShelf::keep(const PictureName& name, const Jpeg& jpeg) {
    if (const auto before = by_name_.find(name); before != by_name_.end()) drop(before->second);
    places_.push_front({name, jpeg, clock_.now()});
    by_name_.emplace(name, places_.begin());
    bytes_ += jpeg->size();
    while (bytes_ > most_bytes_) drop(std::prev(places_.end()));
}

void PictureShelf::drop(Places::iterator place) {
    bytes_ -= place->jpeg->size();
    by_name_.erase(place->name);
    places_.erase(place);
}

void PictureShelf::forget(const PictureHash& hash) {
    const MutexLock lock(mutex_);
    for (auto found = by_name_.lower_bound({hash, 0});
         found != by_name_.end() && found->first.hash == hash;)
        drop((found++)->second);
}

std::size_t PictureShelf::bytes() const {
    const MutexLock lock(mutex_);
    return bytes_;
}

}  // namespace sluice
