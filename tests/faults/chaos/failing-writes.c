/* Preloaded into node: makes writes to regular files fail while the shared control file says so.
   The control file has three ints: the number of the error, how many writes are still to fail, and how many have failed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile int *control;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAILING_WRITES");
  if (file == NULL || strcmp(program_invocation_short_name, "node") != 0) return;
  int fd = open(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *mapped = mmap(NULL, 12, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
}

static int fails(int fd) {
  struct stat about;
  if (control == NULL || control[1] <= 0) return 0;
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
  if (__sync_fetch_and_sub(&control[1], 1) <= 0) return 0;
  __sync_fetch_and_add(&control[2], 1);
  errno = control[0];
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t count) { return fails(fd) ? -1 : REAL(write)(fd, data, count); }
ssize_t pwrite(int fd, const void *data, size_t count, off_t at) { return fails(fd) ? -1 : REAL(pwrite)(fd, data, count, at); }
ssize_t pwrite64(int fd, const void *data, size_t count, off64_t at) { return fails(fd) ? -1 : REAL(pwrite64)(fd, data, count, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return fails(fd) ? -1 : REAL(writev)(fd, parts, count); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return fails(fd) ? -1 : REAL(pwritev)(fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return fails(fd) ? -1 : REAL(pwritev64)(fd, parts, count, at); }
int fsync(int fd) { return fails(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : REAL(fdatasync)(fd); }
