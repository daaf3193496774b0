#pragma once

#include <mutex>

// What a lock protects, in a form that clang can check (-Wthread-safety, which ./dev tidy turns
// on). For other compilers these macros are empty.
#ifdef __clang__
#define SLUICE_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define SLUICE_THREAD_ATTRIBUTE(x)
#endif

/// On a member: used only while the mutex is held; with a SharedMutex, read while it is shared.
#define GUARDED_BY(mutex) SLUICE_THREAD_ATTRIBUTE(guarded_by(mutex))
/// On a function: its caller holds the mutex.
#define REQUIRES(...) SLUICE_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) SLUICE_THREAD_ATTRIBUTE(requires_shared_capability(__VA_ARGS__))
/// On a function: its caller does not hold the mutex, since the function takes it.
#define EXCLUDES(...) SLUICE_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
/// On a mutex: whoever holds both has taken this one first.
#define ACQUIRED_BEFORE(...) SLUICE_THREAD_ATTRIBUTE(acquired_before(__VA_ARGS__))

// Of the locks themselves:
#define CAPABILITY(name) SLUICE_THREAD_ATTRIBUTE(capability(name))
#define SCOPED_CAPABILITY SLUICE_THREAD_ATTRIBUTE(scoped_lockable)
#define ACQUIRE(...) SLUICE_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) SLUICE_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define RELEASE(...) SLUICE_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) SLUICE_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))

namespace sluice {

/// std::mutex with clang's attributes.
class CAPABILITY("mutex") Mutex {
  public:
    void lock() ACQUIRE() { mutex_.lock(); }
    void unlock() RELEASE() { mutex_.unlock(); }

  private:
    friend class Condition;

    std::mutex mutex_;
};

/// Holds a mutex for as long as it lives.
class SCOPED_CAPABILITY MutexLock {
  public:
    explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
    ~MutexLock() RELEASE() { mutex_.unlock(); }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

  private:
    Mutex& mutex_;
};

}  // namespace sluice
