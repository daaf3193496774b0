#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include <sys/mman.h>

namespace sluice {

/// An array for random reads, on the system's large pages if it has any. Half of the cost of such a
/// read is the look-up of its page.
template <class T>
class LargeTable {
  public:
    explicit LargeTable(std::size_t size) : memory_(allocate(size * sizeof(T))) {
        static_assert(std::is_trivially_destructible_v<T>);
        std::uninitialized_value_construct_n(data(), size);
    }

    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }

  private:
    static constexpr std::size_t kPage = 2 * 1024 * 1024;
    static constexpr std::size_t kCacheLine = 64;
    static_assert(alignof(T) <= kCacheLine);

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    static void* allocate(std::size_t bytes) {
        const std::size_t unit = bytes < kPage ? kCacheLine : kPage;
        bytes = (bytes + unit - 1) / unit * unit;
        void* memory = std::aligned_alloc(unit, bytes);
        if (!memory) throw std::bad_alloc();
        if (unit == kPage) madvise(memory, bytes, MADV_HUGEPAGE);  // no matter if it fails
        return memory;
    }
    T* data() const { return static_cast<T*>(memory_.get()); }

    std::unique_ptr<void, Free> memory_;
};

}  // namespace sluice
