// Preloaded into redis-server, it adds an offset to the wall clock: the nanoseconds at the start of the file that CLOCK_OFFSET_FILE
// names, read anew for every call, so that whoever writes to the file sets the clock of a running server. It allocates nothing,
// since the allocator of the server asks for the time itself.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static const int64_t none = 0;
static volatile const int64_t *offset;

static int64_t wall_offset(void) {
  if (!offset) {
    const char *path = getenv("CLOCK_OFFSET_FILE");
    int fd = path ? open(path, O_RDONLY) : -1;
    void *page = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    offset = page == MAP_FAILED ? &none : page;
    if (fd >= 0) close(fd);
  }
  return *offset;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  int failed = syscall(SYS_clock_gettime, clock, result);
  if (failed || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return failed;
  int64_t now = result->tv_sec * SECOND + result->tv_nsec + wall_offset();
  result->tv_sec = now / SECOND;
  result->tv_nsec = now % SECOND;
  return 0;
}

int gettimeofday(struct timeval *result, void *zone) {
  (void)zone;
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  result->tv_sec = now.tv_sec;
  result->tv_usec = now.tv_nsec / 1000;
  return failed;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
