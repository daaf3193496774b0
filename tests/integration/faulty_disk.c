/* Stands between SQLite and the disk (LD_PRELOAD), for the ledger, the archive and their logs only.
 *
 * It records every write, cut, flush, removal and rename in the order in which they happen, so that a test
 * can build what a power cut at any moment would have left. And it fails calls when a test asks for
 * that in a file which both have mapped into memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kMostFiles = 65536 };
enum { kWrite = 1, kTruncate, kSync, kFailedSync, kRemove, kRename, kSyncFolder };

/* A file's number is its place here, from 1 on. */
static const char *const kNames[] = {"sluice.db",      "sluice.db-wal",  "archive.db",
                                     "archive.db-wal", "archive.db.new", "archive.db.new-wal"};

/* How many of the next calls go wrong; tests write it, calls count it down. */
struct Control {
    uint32_t failing_syncs;
    uint32_t short_writes;
    uint32_t failing_writes;
};

struct Record {
    uint32_t kind, file;
    uint64_t offset, length; /* `offset` is, with kTruncate, the new size; with kRename, the new name */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char file_of[kMostFiles];
static struct Control *control;
static int record_fd = -1;

static int (*real_open64)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static ssize_t (*real_pwrite64)(int, const void *, size_t, off64_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fdatasync)(int);
static int (*real_ftruncate64)(int, off64_t);

__attribute__((constructor)) static void begin(void) {
    real_open64 = dlsym(RTLD_NEXT, "open64");
    real_close = dlsym(RTLD_NEXT, "close");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_ftruncate64 = dlsym(RTLD_NEXT, "ftruncate64");
    const char *record = getenv("FAULTY_DISK_RECORD"), *faults = getenv("FAULTY_DISK_CONTROL");
    if (record) record_fd = real_open64(record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    const int fd = faults ? real_open64(faults, O_RDWR | O_CLOEXEC) : -1;
    void *map = fd < 0 ? MAP_FAILED
                       : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) control = map;
}

static unsigned char name_to_file(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (unsigned char i = 0; i < sizeof kNames / sizeof *kNames; ++i)
        if (strcmp(name, kNames[i]) == 0) return i + 1;
    return 0;
}

static unsigned char file_at(int fd) { return fd >= 0 && fd < kMostFiles ? file_of[fd] : 0; }

/* Under the mutex, so that records have the order of the calls. */
static void note(uint32_t kind, uint32_t file, uint64_t offset, const void *bytes, uint64_t length) {
    if (record_fd < 0) return;
    const struct Record record = {kind, file, offset, length};
    if (real_write(record_fd, &record, sizeof record) != (ssize_t)sizeof record) abort();
    if (length && real_write(record_fd, bytes, length) != (ssize_t)length) abort();
}

/* Whether the next call is one of those that go wrong. */
static int strikes(uint32_t *left) {
    if (!control || *left == 0) return 0;
    if (*left != UINT32_MAX) --*left;
    return 1;
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    const int fd = real_open64(path, flags, mode);
    if (fd >= 0 && fd < kMostFiles) file_of[fd] = name_to_file(path);
    return fd;
}

int close(int fd) {
    if (fd >= 0 && fd < kMostFiles) file_of[fd] = 0;
    return real_close(fd);
}

int unlink(const char *path) {
    const unsigned char file = name_to_file(path);
    if (!file) return real_unlink(path);
    pthread_mutex_lock(&mutex);
    const int result = real_unlink(path);
    if (result == 0) note(kRemove, file, 0, NULL, 0);
    pthread_mutex_unlock(&mutex);
    return result;
}

int rename(const char *from, const char *to) {
    const unsigned char file = name_to_file(from);
    if (!file) return real_rename(from, to);
    pthread_mutex_lock(&mutex);
    const int result = real_rename(from, to);
    if (result == 0) note(kRename, file, name_to_file(to), NULL, 0);
    pthread_mutex_unlock(&mutex);
    return result;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
    const unsigned char file = file_at(fd);
    if (!file) return real_pwrite64(fd, bytes, count, offset);
    pthread_mutex_lock(&mutex);
    ssize_t result = -1;
    if (control && count > 1 && strikes(&control->short_writes)) count /= 2;
    if (control && strikes(&control->failing_writes))
        errno = EIO;
    else
        result = real_pwrite64(fd, bytes, count, offset);
    if (result > 0) note(kWrite, file, (uint64_t)offset, bytes, (uint64_t)result);
    pthread_mutex_unlock(&mutex);
    return result;
}

int ftruncate64(int fd, off64_t size) {
    const unsigned char file = file_at(fd);
    if (!file) return real_ftruncate64(fd, size);
    pthread_mutex_lock(&mutex);
    const int result = real_ftruncate64(fd, size);
    if (result == 0) note(kTruncate, file, (uint64_t)size, NULL, 0);
    pthread_mutex_unlock(&mutex);
    return result;
}

/* After it the names in the folder are on disk. */
static int sync_other(int fd) {
    struct stat status;
    const int result = real_fdatasync(fd);
    if (result != 0 || fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode)) return result;
    pthread_mutex_lock(&mutex);
    note(kSyncFolder, 0, 0, NULL, 0);
    pthread_mutex_unlock(&mutex);
    return result;
}

int fdatasync(int fd) {
    const unsigned char file = file_at(fd);
    if (!file) return sync_other(fd);
    pthread_mutex_lock(&mutex);
    int result = -1;
    if (control && strikes(&control->failing_syncs)) {
        note(kFailedSync, file, 0, NULL, 0);
        errno = EIO;
    } else {
        result = real_fdatasync(fd);
        if (result == 0) note(kSync, file, 0, NULL, 0);
    }
    pthread_mutex_unlock(&mutex);
    return result;
}

/* The same calls under their other names. */
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
    return pwrite64(fd, bytes, count, offset);
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }
int fsync(int fd) { return fdatasync(fd); }
