#pragma once

#include <pthread.h>

#include "base/check.hpp"
#include "base/mutex.hpp"

namespace sluice {

/// Held by one thread alone, or shared by several. A thread that wants it alone comes next. With
/// std::shared_mutex, as glibc makes it, readers may enter as long as some reader is in, and four
/// busy readers kept a writer out for half a minute (bench/catalog_bench.cpp). A thread must not
/// take it a second time, not even shared.
class CAPABILITY("shared mutex") SharedMutex {
  public:
    SharedMutex() {
        pthread_rwlockattr_t attributes;
        CHECK(pthread_rwlockattr_init(&attributes) == 0, "attributes need no resources");
        pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
        CHECK(pthread_rwlock_init(&lock_, &attributes) == 0, "a lock needs no resources");
        pthread_rwlockattr_destroy(&attributes);
    }
    ~SharedMutex() { pthread_rwlock_destroy(&lock_); }
    SharedMutex(const SharedMutex&) = delete;
    SharedMutex& operator=(const SharedMutex&) = delete;

    void lock() ACQUIRE() { CHECK(pthread_rwlock_wrlock(&lock_) == 0, "no thread takes it twice"); }
    void unlock() RELEASE() { pthread_rwlock_unlock(&lock_); }
    void lock_shared() ACQUIRE_SHARED() {
        CHECK(pthread_rwlock_rdlock(&lock_) == 0, "no thread takes it twice");
    }
    void unlock_shared() RELEASE_SHARED() { pthread_rwlock_unlock(&lock_); }

  private:
    pthread_rwlock_t lock_;
};

/// Holds it alone for as long as it lives.
class SCOPED_CAPABILITY ExclusiveLock {
  public:
    explicit ExclusiveLock(SharedMutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
    ~ExclusiveLock() RELEASE() { mutex_.unlock(); }
    ExclusiveLock(const ExclusiveLock&) = delete;
    ExclusiveLock& operator=(const ExclusiveLock&) = delete;

  private:
    SharedMutex& mutex_;
};

/// Shares it for as long as it lives.
class SCOPED_CAPABILITY SharedLock {
  public:
    explicit SharedLock(SharedMutex& mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) {
        mutex_.lock_shared();
    }
    ~SharedLock() RELEASE() { mutex_.unlock_shared(); }
    SharedLock(const SharedLock&) = delete;
    SharedLock& operator=(const SharedLock&) = delete;

  private:
    SharedMutex& mutex_;
};

}  // namespace sluice
