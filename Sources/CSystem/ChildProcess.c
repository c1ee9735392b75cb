#define _GNU_SOURCE
#include "ChildProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { listed_max = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t processes[listed_max];
static char folders[listed_max][PATH_MAX];

// The lock is held.
static void list_process(pid_t process) {
  for (int i = 0; i < listed_max; i++) {
    if (processes[i]) continue;
    processes[i] = process;
    break;
  }
}

static void unlist_process(pid_t process) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < listed_max; i++) {
    if (processes[i] == process) processes[i] = 0;
  }
  pthread_mutex_unlock(&lock);
}

static void limit(pid_t process, int resource, uint64_t most) {
  struct rlimit limits = {.rlim_cur = most, .rlim_max = most};
  prlimit(process, resource, &limits, NULL);
}

static int spawn(const portolan_program *program, pid_t *process,
                 posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes) {
  int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  int error = posix_spawn_file_actions_addchdir_np(actions, program->folder);
  if (!error) error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_addopen(actions, 1, program->output, flags, 0600);
  if (!error) error = posix_spawn_file_actions_addopen(actions, 2, program->errors, flags, 0600);
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, 3);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                           POSIX_SPAWN_SETPGROUP);
  if (error) return error;
  return posix_spawn(process, program->path, actions, attributes, program->arguments,
                     program->environment);
}

int portolan_start_process(const portolan_program *program, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    // A signal finds either no process, or a listed one.
    pthread_mutex_lock(&lock);
    error = spawn(program, process, &actions, &attributes);
    if (!error) list_process(*process);
    pthread_mutex_unlock(&lock);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  if (error) return error;
  // Its libraries are still being loaded: it has seen no byte of a file yet.
  limit(*process, RLIMIT_AS, program->memory);
  limit(*process, RLIMIT_FSIZE, program->file_size);
  limit(*process, RLIMIT_CPU, program->seconds);
  limit(*process, RLIMIT_CORE, 0);
  return 0;
}

static int reap(pid_t process, int *status) {
  pid_t ended;
  do {
    ended = waitpid(process, status, WNOHANG);
  } while (ended == -1 && errno == EINTR);
  if (ended == process) unlist_process(process);
  return ended == process ? 1 : ended == 0 ? 0 : -1;
}

int portolan_wait_process(pid_t process, int milliseconds, int *status) {
  int ended = reap(process, status);
  if (ended || milliseconds <= 0) return ended;
  int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  if (descriptor == -1) {
    poll(NULL, 0, milliseconds < 20 ? milliseconds : 20);
  } else {
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    poll(&wanted, 1, milliseconds);
    close(descriptor);
  }
  return reap(process, status);
}

void portolan_kill_process(pid_t process) {
  if (process > 1) kill(-process, SIGKILL);
}

int portolan_list_folder(const char *path) {
  int number = -1;
  if (strlen(path) >= PATH_MAX) return number;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < listed_max && number == -1; i++) {
    if (folders[i][0]) continue;
    strcpy(folders[i], path);
    number = i;
  }
  pthread_mutex_unlock(&lock);
  return number;
}

void portolan_unlist_folder(int number) {
  if (number < 0 || number >= listed_max) return;
  pthread_mutex_lock(&lock);
  folders[number][0] = 0;
  pthread_mutex_unlock(&lock);
}

static void remove_folder(const char *path) {
  DIR *folder = opendir(path);
  if (folder) {
    struct dirent *entry;
    while ((entry = readdir(folder))) unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
  }
  rmdir(path);
}

void portolan_end_program(int code) {
  // The lock is kept to the end: no other thread sees that a process or folder is gone, or starts
  // another process.
  pthread_mutex_lock(&lock);
  for (int i = 0; i < listed_max; i++) {
    if (processes[i]) portolan_kill_process(processes[i]);
  }
  for (int i = 0; i < listed_max; i++) {
    if (folders[i][0]) remove_folder(folders[i]);
  }
  _exit(code);
}
