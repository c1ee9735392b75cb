#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int portolan_rename(int from_directory, const char *from, int to_directory, const char *to,
                    unsigned int flags) {
  return (int)syscall(SYS_renameat2, from_directory, from, to_directory, to, flags);
}

static int lock(int descriptor, short type) {
  struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
  int result;
  do {
    result = fcntl(descriptor, F_OFD_SETLK, &whole);
  } while (result == -1 && errno == EINTR);
  return result;
}

int portolan_lock(int descriptor, int exclusive) {
  return lock(descriptor, exclusive ? F_WRLCK : F_RDLCK);
}

int portolan_is_locked(int descriptor) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(descriptor, F_OFD_GETLK, &whole) == -1) return -1;
  return whole.l_type != F_UNLCK;
}

int portolan_unlock(int descriptor) { return lock(descriptor, F_UNLCK); }

const char *portolan_error_text(int number) {
  const char *text = strerrordesc_np(number);
  return text ? text : "unknown error";
}

int portolan_open(int directory, const char *path, int flags, unsigned int mode) {
  return openat(directory, path, flags, (mode_t)mode);
}

ssize_t portolan_attribute_names(int descriptor, char *names, size_t size) {
  return flistxattr(descriptor, names, size);
}

ssize_t portolan_attribute(int descriptor, const char *name, void *value, size_t size) {
  return fgetxattr(descriptor, name, value, size);
}

int portolan_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
  return fsetxattr(descriptor, name, value, size, 0);
}

int portolan_remove_attribute(int descriptor, const char *name) {
  return fremovexattr(descriptor, name);
}

int portolan_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

unsigned int portolan_creation_mask(void) {
  FILE *status = fopen("/proc/self/status", "re");
  if (status) {
    char line[256];
    unsigned int mask;
    while (fgets(line, sizeof line, status)) {
      if (sscanf(line, "Umask: %o", &mask) == 1) {
        fclose(status);
        return mask & 0777;
      }
    }
    fclose(status);
  }
  mode_t mask = umask(077);
  umask(mask);
  return mask & 0777;
}
