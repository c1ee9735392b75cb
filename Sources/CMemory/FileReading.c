#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif
#include "FileReading.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int portolan_open_file(const char *path) {
  int file;
  do {
    file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  } while (file < 0 && errno == EINTR);
  return file < 0 ? -errno : file;
}

int portolan_state_of_file(int file, portolan_file_state *state) {
  struct stat found;
  if (fstat(file, &found) != 0) return -errno;
#ifdef __APPLE__
  struct timespec modified = found.st_mtimespec, changed = found.st_ctimespec;
#else
  struct timespec modified = found.st_mtim, changed = found.st_ctim;
#endif
  state->device = (uint64_t)found.st_dev;
  state->inode = (uint64_t)found.st_ino;
  state->size = (int64_t)found.st_size;
  state->modified_seconds = (int64_t)modified.tv_sec;
  state->modified_nanoseconds = (int64_t)modified.tv_nsec;
  state->changed_seconds = (int64_t)changed.tv_sec;
  state->changed_nanoseconds = (int64_t)changed.tv_nsec;
  state->is_regular = S_ISREG(found.st_mode);
  return 0;
}

int64_t portolan_read_file(int file, void *target, size_t count, int64_t offset) {
  // The system reads at most 2 GiB less a page at once.
  const size_t most = (size_t)1 << 30;
  size_t done = 0;
  while (done < count) {
    size_t room = count - done < most ? count - done : most;
    ssize_t read = pread(file, (char *)target + done, room, (off_t)(offset + (int64_t)done));
    if (read == 0) break;
    if (read > 0) {
      done += (size_t)read;
    } else if (errno != EINTR) {
      return -(int64_t)errno;
    }
  }
  return (int64_t)done;
}

#ifdef __linux__
void portolan_ask_for_pages(void *target, size_t count) {
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
  uintptr_t start = ((uintptr_t)target + page) & ~page, end = ((uintptr_t)target + count) & ~page;
  if (start < end) madvise((void *)start, end - start, MADV_POPULATE_WRITE);
}
#else
void portolan_ask_for_pages(void *target, size_t count) {
  (void)target;
  (void)count;
}
#endif

void portolan_close_file(int file) { close(file); }

void portolan_error_words(int number, char *words, size_t size) {
  snprintf(words, size, "%s", strerror(number));
}
