/* Preloaded into node: makes writes to regular files fail, or the process die right after one, while the shared control
   file says so. The control file has five ints: the number of the error, how many writes are still to fail, how many have
   failed, after how many writes a process dies (0: none does), and how many have died. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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
  void *mapped = mmap(NULL, 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_regular(int fd) {
  struct stat about;
  return fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
}

static int fails(int fd) {
  if (control == NULL || control[1] <= 0 || !is_regular(fd)) return 0;
  if (__sync_fetch_and_sub(&control[1], 1) <= 0) return 0;
  __sync_fetch_and_add(&control[2], 1);
  errno = control[0];
  return 1;
}

static ssize_t written(int fd, ssize_t result) {
  int error = errno;
  if (control != NULL && control[3] > 0 && is_regular(fd) && __sync_fetch_and_sub(&control[3], 1) == 1) {
    __sync_fetch_and_add(&control[4], 1);
    kill(getpid(), SIGKILL);
  }
  errno = error;
  return result;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRITTEN(name, fd, ...) (fails(fd) ? -1 : written(fd, REAL(name)(fd, __VA_ARGS__)))

ssize_t write(int fd, const void *data, size_t count) { return WRITTEN(write, fd, data, count); }
ssize_t pwrite(int fd, const void *data, size_t count, off_t at) { return WRITTEN(pwrite, fd, data, count, at); }
ssize_t pwrite64(int fd, const void *data, size_t count, off64_t at) { return WRITTEN(pwrite64, fd, data, count, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) { return WRITTEN(writev, fd, parts, count); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return WRITTEN(pwritev, fd, parts, count, at); }
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) { return WRITTEN(pwritev64, fd, parts, count, at); }
int fsync(int fd) { return fails(fd) ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd) ? -1 : REAL(fdatasync)(fd); }
