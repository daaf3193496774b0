#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace sluice::http {

/// The bytes that have arrived on a connection and are not used up yet. Views into it are valid
/// until reserve() or consume() is called.
class InputBuffer {
  public:
    std::string_view view() const { return {data_.get() + begin_, end_ - begin_}; }
    std::size_t size() const { return end_ - begin_; }
    bool empty() const { return begin_ == end_; }

    /// Makes room for at least `bytes` more at the end.
    void reserve(std::size_t bytes) {
        if (capacity_ - end_ >= bytes) return;
        const std::size_t needed = size() + bytes;
        if (needed <= capacity_) {
            std::memmove(data_.get(), data_.get() + begin_, size());
        } else {
            std::size_t capacity = kSmallest;
            while (capacity < needed) capacity *= 2;
            auto grown = std::make_unique_for_overwrite<char[]>(capacity);
            if (size() > 0) std::memcpy(grown.get(), data_.get() + begin_, size());
            data_ = std::move(grown);
            capacity_ = capacity;
        }
        end_ = size();
        begin_ = 0;
    }

    std::span<char> room() { return {data_.get() + end_, capacity_ - end_}; }
    void commit(std::size_t bytes) { end_ += bytes; }

    /// Removes bytes at the front. An empty buffer that had grown gives its memory back, so that an
    /// idle connection stays small.
    void consume(std::size_t bytes) {
        begin_ += bytes;
        if (!empty()) return;
        begin_ = end_ = 0;
        if (capacity_ > kSmallest) {
            data_.reset();
            capacity_ = 0;
        }
    }

    /// Removes `bytes` after the first `kept`; views into those stay valid.
    void cut(std::size_t kept, std::size_t bytes) {
        char* hole = data_.get() + begin_ + kept;
        std::memmove(hole, hole + bytes, size() - kept - bytes);
        end_ -= bytes;
    }

  private:
    static constexpr std::size_t kSmallest = 4096;

    std::unique_ptr<char[]> data_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace sluice::http
