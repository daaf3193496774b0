#include "support/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t asked = 0;

void* take(std::size_t size) {
    ++asked;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}

void* take(std::size_t size, std::align_val_t alignment) {
    ++asked;
    const auto unit = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return memory;
    throw std::bad_alloc();
}

}  // namespace

// The forms that do not throw and those for arrays come here by default.
void* operator new(std::size_t size) {
    return take(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return take(size, alignment);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

std::size_t sluice::testing_support::allocations() {
    return asked;
}
