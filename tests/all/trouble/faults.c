/* Makes one system call of a program fail: the call FAULT_CALL, the time FAULT_AT (from 1), with the error FAULT_ERROR,
   or as a short count if that is 0. The error output is left alone. Writes "fault" to FAULT_MARK when it happens. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long seen;

static void mark(void) {
    static int (*real_open)(const char *, int, ...);
    static ssize_t (*real_write)(int, const void *, size_t);
    const char *path = getenv("FAULT_MARK");
    if (!path) return;
    real_open = dlsym(RTLD_NEXT, "open");
    real_write = dlsym(RTLD_NEXT, "write");
    int fd = real_open(path, O_WRONLY | O_CREAT, 0666);
    if (fd >= 0) real_write(fd, "fault", 5);
}

/* 0: go on; otherwise the error, or -1 for a short count. */
static int strikes(const char *call, int fd) {
    const char *which = getenv("FAULT_CALL");
    if (fd == 2 || !which || strcmp(which, call)) return 0;
    if (++seen != atol(getenv("FAULT_AT"))) return 0;
    mark();
    int error = atoi(getenv("FAULT_ERROR"));
    return error ? error : -1;
}

#define FAIL(call, fd)              \
    int fault = strikes(call, fd);  \
    if (fault > 0) {                \
        errno = fault;              \
        return -1;                  \
    }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static size_t cut(int fault, size_t n) { return fault < 0 && n > 1 ? n / 2 : n; }

ssize_t write(int fd, const void *b, size_t n) { FAIL("write", fd) return REAL(write)(fd, b, cut(fault, n)); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { FAIL("write", fd) return REAL(pwrite)(fd, b, cut(fault, n), o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { FAIL("write", fd) return REAL(pwrite64)(fd, b, cut(fault, n), o); }
ssize_t read(int fd, void *b, size_t n) { FAIL("read", fd) return REAL(read)(fd, b, cut(fault, n)); }
ssize_t pread(int fd, void *b, size_t n, off_t o) { FAIL("read", fd) return REAL(pread)(fd, b, cut(fault, n), o); }
ssize_t pread64(int fd, void *b, size_t n, off64_t o) { FAIL("read", fd) return REAL(pread64)(fd, b, cut(fault, n), o); }
off_t lseek(int fd, off_t o, int w) { FAIL("lseek", fd) return REAL(lseek)(fd, o, w); }
off64_t lseek64(int fd, off64_t o, int w) { FAIL("lseek", fd) return REAL(lseek64)(fd, o, w); }
int ftruncate(int fd, off_t n) { FAIL("ftruncate", fd) return REAL(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { FAIL("ftruncate", fd) return REAL(ftruncate64)(fd, n); }

int close(int fd) {
    int fault = strikes("close", fd);
    int result = REAL(close)(fd);
    if (fault <= 0) return result;
    errno = fault;
    return -1;
}

#define OPEN(name)                                                \
    int name(const char *path, int flags, ...) {                  \
        va_list list;                                             \
        va_start(list, flags);                                    \
        mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0; \
        va_end(list);                                             \
        FAIL("open", -1)                                          \
        return REAL(name)(path, flags, mode);                     \
    }
OPEN(open)
OPEN(open64)
