// Stands between a program and the system's calls that change files: counts them, and does something
// at one of them. Loaded with LD_PRELOAD, so that it counts over all threads, which strace does not.
//
//   FAULTS_UNDER   folders, separated by ':'; only calls on names and files in them count
//   FAULTS_LOG     a file outside them: a line for each call that counts, with its outcome
//   FAULTS_DO      what is done: kill, tear (half of a write, then kill), an errno's number
//   FAULTS_AT      at which call, counted from 1; 0 for every one
//   FAULTS_CALL    if given, calls of this name only are counted
//   FAULTS_NAME    if given, only calls on paths that hold this text are counted
//   FAULTS_LIE     a call, fsync for one: it is not made and told as done, each time
//
// A line of the log: number, call, errno or 0, byte 16 of what was written or -1, path.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long (*real_syscall)(long, ...);
static const char *under, *wanted_call, *wanted_name, *lie, *what;
static long wanted = -1;
static int log_file = -1, error_number;
static atomic_long counted;

__attribute__((constructor)) static void start(void) {
  real_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  under = getenv("FAULTS_UNDER");
  wanted_call = getenv("FAULTS_CALL");
  wanted_name = getenv("FAULTS_NAME");
  lie = getenv("FAULTS_LIE");
  what = getenv("FAULTS_DO");
  if (getenv("FAULTS_AT")) wanted = atol(getenv("FAULTS_AT"));
  if (what) error_number = atoi(what);
  const char *name = getenv("FAULTS_LOG");
  if (name) log_file = (int)real_syscall(SYS_openat, AT_FDCWD, name,
                                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// The full path of a file or of a name in a folder; empty where that is not known.
static void path_of(int folder, const char *name, char path[PATH_MAX]) {
  size_t length = 0;
  path[0] = 0;
  if (!name || name[0] != '/') {
    char link[40];
    if (folder == AT_FDCWD) strcpy(link, "/proc/self/cwd");
    else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t count = readlink(link, path, PATH_MAX - 1);
    if (count < 0) count = 0;
    path[length = (size_t)count] = 0;
  }
  if (name) snprintf(path + length, PATH_MAX - length, "%s%s", length ? "/" : "", name);
}

static int counts(const char *call, const char *path) {
  if (!under || !path[0]) return 0;
  if (wanted_call && strcmp(wanted_call, call)) return 0;
  if (wanted_name && !strstr(path, wanted_name)) return 0;
  for (const char *folder = under; *folder;) {
    size_t length = strcspn(folder, ":");
    if (!strncmp(path, folder, length) && (path[length] == '/' || !path[length])) return 1;
    folder += length + (folder[length] == ':');
  }
  return 0;
}

struct call {
  const char *name;
  char path[PATH_MAX];
  long number;
  int kind;
};

static void note(const struct call *call, int error) {
  if (log_file < 0) return;
  char line[PATH_MAX + 80];
  int count = snprintf(line, sizeof line, "%ld %s %d %d %s\n", call->number, call->name, error,
                       call->kind, call->path);
  real_syscall(SYS_write, log_file, line, (size_t)count);
}

// Before a call: 0 to make it, -1 to fail with errno, 1 to tell it as done.
static int before(struct call *call, int file, const void *bytes, size_t count) {
  if (!real_syscall) start();
  if (!counts(call->name, call->path)) return 0;
  call->number = atomic_fetch_add(&counted, 1) + 1;
  if (wanted >= 0 && what && (wanted == 0 || call->number == wanted)) {
    if (!strcmp(what, "tear") && bytes) real_syscall(SYS_write, file, bytes, count / 2);
    if (!error_number) {
      note(call, -1);
      kill(getpid(), SIGKILL);
      for (;;) pause();
    }
    note(call, error_number);
    errno = error_number;
    return -1;
  }
  if (lie && !strcmp(lie, call->name)) {
    note(call, 0);
    return 1;
  }
  return 0;
}

static long after(struct call *call, long result) {
  int number = errno;
  if (call->number) note(call, result == -1 ? number : 0);
  errno = number;
  return result;
}

#define GUARD(CALL, FOLDER, NAME, FILE, BYTES, COUNT, MAKE) \
  struct call call = {.name = CALL, .kind = -1}; \
  path_of(FOLDER, NAME, call.path); \
  if ((BYTES) && (COUNT) > 16) call.kind = ((const unsigned char *)(BYTES))[16]; \
  int verdict = before(&call, FILE, BYTES, COUNT); \
  if (verdict) return verdict < 0 ? -1 : 0; \
  return after(&call, MAKE)

static int open_guarded(int folder, const char *name, int flags, mode_t mode) {
  if (!real_syscall) start();
  // Reading changes nothing.
  if (!(flags & (O_CREAT | O_TRUNC))) {
    return (int)real_syscall(SYS_openat, folder, name, flags, mode);
  }
  GUARD("openat", folder, name, -1, NULL, 0,
        (int)real_syscall(SYS_openat, folder, name, flags, mode));
}

#define MODE va_list list; va_start(list, flags); mode_t mode = va_arg(list, mode_t); va_end(list)

int openat(int folder, const char *name, int flags, ...) {
  MODE;
  return open_guarded(folder, name, flags, mode);
}
int openat64(int folder, const char *name, int flags, ...) {
  MODE;
  return open_guarded(folder, name, flags | O_LARGEFILE, mode);
}
int open(const char *name, int flags, ...) {
  MODE;
  return open_guarded(AT_FDCWD, name, flags, mode);
}
int open64(const char *name, int flags, ...) {
  MODE;
  return open_guarded(AT_FDCWD, name, flags | O_LARGEFILE, mode);
}
ssize_t write(int file, const void *bytes, size_t count) {
  GUARD("write", file, NULL, file, bytes, count, real_syscall(SYS_write, file, bytes, count));
}
int fsync(int file) { GUARD("fsync", file, NULL, file, NULL, 0, (int)real_syscall(SYS_fsync, file)); }
int fdatasync(int file) {
  GUARD("fsync", file, NULL, file, NULL, 0, (int)real_syscall(SYS_fdatasync, file));
}
int ftruncate(int file, off_t size) {
  GUARD("ftruncate", file, NULL, file, NULL, 0, (int)real_syscall(SYS_ftruncate, file, size));
}
int ftruncate64(int file, off64_t size) {
  GUARD("ftruncate", file, NULL, file, NULL, 0, (int)real_syscall(SYS_ftruncate, file, size));
}
int fchmod(int file, mode_t mode) {
  GUARD("fchmod", file, NULL, file, NULL, 0, (int)real_syscall(SYS_fchmod, file, mode));
}
int unlinkat(int folder, const char *name, int flags) {
  GUARD("unlinkat", folder, name, -1, NULL, 0,
        (int)real_syscall(SYS_unlinkat, folder, name, flags));
}
int linkat(int from, const char *name, int to, const char *newer, int flags) {
  GUARD("linkat", to, newer, -1, NULL, 0,
        (int)real_syscall(SYS_linkat, from, name, to, newer, flags));
}
int mkdir(const char *name, mode_t mode) {
  GUARD("mkdir", AT_FDCWD, name, -1, NULL, 0, (int)real_syscall(SYS_mkdir, name, mode));
}
int renameat(int from, const char *name, int to, const char *newer) {
  GUARD("renameat", to, newer, -1, NULL, 0,
        (int)real_syscall(SYS_renameat2, from, name, to, newer, 0));
}

// The program makes renameat2 by its number, as no library has it everywhere.
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long),
       d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (!real_syscall) start();
  if (number != SYS_renameat2) return real_syscall(number, a, b, c, d, e, f);
  GUARD("renameat2", (int)c, (const char *)d, -1, NULL, 0,
        real_syscall(number, a, b, c, d, e, f));
}
