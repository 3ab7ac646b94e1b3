/* A disk that is full: under FULL_DIR no file gets a byte more; with FULL_AFTER, from so many bytes on. For LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_full(int fd, off_t end) {
  char name[64], path[4096];
  const char *dir = getenv("FULL_DIR"), *after = getenv("FULL_AFTER");
  ssize_t length;
  if (!dir || (after && end <= atol(after))) return 0;
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, dir, strlen(dir)) == 0;
}

int posix_fallocate(int fd, off_t start, off_t size) {
  int (*real)(int, off_t, off_t) = dlsym(RTLD_NEXT, "posix_fallocate");
  return is_full(fd, start + size) ? ENOSPC : real(fd, start, size);
}

ssize_t write(int fd, const void *from, size_t size) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  if (is_full(fd, 1L << 60)) {
    errno = ENOSPC;
    return -1;
  }
  return real(fd, from, size);
}
