#pragma once

#include <pthread.h>

#include "base/check.hpp"

namespace sluice {

/// A shared mutex on which whoever wants it alone comes next. With std::shared_mutex, as glibc
/// makes it, readers pass as long as some reader is in: four busy readers kept a writer out for
/// half a minute (bench/catalog_bench.cpp). A thread must not take it a second time, not even
/// shared.
class WriterFirstMutex {
  public:
    WriterFirstMutex() {
        pthread_rwlockattr_t attributes;
        CHECK(pthread_rwlockattr_init(&attributes) == 0, "attributes need no resources");
        pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
        CHECK(pthread_rwlock_init(&lock_, &attributes) == 0, "a lock needs no resources");
        pthread_rwlockattr_destroy(&attributes);
    }
    ~WriterFirstMutex() { pthread_rwlock_destroy(&lock_); }
    WriterFirstMutex(const WriterFirstMutex&) = delete;
    WriterFirstMutex& operator=(const WriterFirstMutex&) = delete;

    // Named as the standard library's locks call them.
    void lock() { CHECK(pthread_rwlock_wrlock(&lock_) == 0, "no thread takes it twice"); }
    void unlock() { pthread_rwlock_unlock(&lock_); }
    void lock_shared() { CHECK(pthread_rwlock_rdlock(&lock_) == 0, "no thread takes it twice"); }
    void unlock_shared() { pthread_rwlock_unlock(&lock_); }

  private:
    pthread_rwlock_t lock_;
};

}  // namespace sluice
