#define _GNU_SOURCE
#include "ChildProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { listed_max = 32 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t processes[listed_max];
static char folders[listed_max][PATH_MAX];

static void list_process(pid_t process) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < listed_max; i++) {
    if (processes[i]) continue;
    processes[i] = process;
    break;
  }
  pthread_mutex_unlock(&lock);
}

static void unlist_process(pid_t process) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < listed_max; i++) {
    if (processes[i] == process) processes[i] = 0;
  }
  pthread_mutex_unlock(&lock);
}

static void limit(int resource, uint64_t most) {
  struct rlimit limits = {.rlim_cur = most, .rlim_max = most};
  setrlimit(resource, &limits);
}

/// In the child: what is between fork(2) and execve(2) is safe after a signal, and nothing else.
static void become(const portolan_program *program, const sigset_t *mask) {
  setpgid(0, 0);
  for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
  limit(RLIMIT_AS, program->memory);
  limit(RLIMIT_FSIZE, program->file_size);
  limit(RLIMIT_CPU, program->seconds);
  limit(RLIMIT_CORE, 0);
  if (chdir(program->folder)) return;
  int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
  int streams[] = {open("/dev/null", O_RDONLY | O_CLOEXEC), open(program->output, flags, 0600),
                   open(program->errors, flags, 0600)};
  // The numbers 0 to 2 are open in every program of ours, so none of these is among them.
  for (int number = 0; number < 3; number++) {
    if (streams[number] < 3 || dup2(streams[number], number) == -1) return;
  }
  // Not closed at once: the parent reads the error of execve from one of them.
  syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
  sigprocmask(SIG_SETMASK, mask, NULL);
  execve(program->path, program->arguments, program->environment);
}

int portolan_start_process(const portolan_program *program, pid_t *process) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return errno;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  sigset_t former;
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pid_t child = fork();
  if (child == 0) {
    become(program, &none);
    int number = errno ? errno : EINVAL;
    ssize_t written = write(ends[1], &number, sizeof number);
    _exit(written == sizeof number ? 127 : 126);
  }
  int number = child == -1 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  close(ends[1]);
  if (child != -1) {
    // Nothing comes when the program has begun: the end is closed then.
    ssize_t count;
    int told = 0;
    do {
      count = read(ends[0], &told, sizeof told);
    } while (count == -1 && errno == EINTR);
    if (count == sizeof told) {
      number = told;
      while (waitpid(child, NULL, 0) == -1 && errno == EINTR) {}
    } else {
      *process = child;
      list_process(child);
    }
  }
  close(ends[0]);
  return number;
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

void portolan_end_processes(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < listed_max; i++) {
    if (processes[i]) portolan_kill_process(processes[i]);
  }
  for (int i = 0; i < listed_max; i++) {
    if (folders[i][0]) remove_folder(folders[i]);
  }
  pthread_mutex_unlock(&lock);
}
