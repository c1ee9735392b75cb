#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSockets.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *portolan_socket_error_text(int number) {
#if defined(__GLIBC__)
  const char *text = strerrordesc_np(number);
  return text ? text : "unknown error";
#else
  return strerror(number);
#endif
}

int64_t portolan_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint32_t portolan_own_user(void) { return geteuid(); }
int portolan_own_process(void) { return getpid(); }

void portolan_descriptor_close(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

// Folders and locks

int portolan_private_folder(const char *path) {
  if (mkdir(path, 0700) == 0) return 0;
  if (errno != EEXIST) return -errno;
  struct stat status;
  if (lstat(path, &status)) return -errno;
  if (!S_ISDIR(status.st_mode)) return -ENOTDIR;
  if (status.st_uid != geteuid()) return -EACCES;
  if (status.st_mode & 077) return -EPERM;
  return 0;
}

static int take_lock(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int portolan_socket_lock(const char *path) {
  // The former holder may remove the name between two of these calls.
  for (int attempt = 0; attempt < 64; attempt++) {
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (lock < 0) return -errno;
    if (take_lock(lock)) {
      int number = errno;
      close(lock);
      return number == EAGAIN || number == EACCES ? -EBUSY : -number;
    }
    struct stat own, named;
    if (fstat(lock, &own) == 0 && lstat(path, &named) == 0 && own.st_ino == named.st_ino &&
        own.st_dev == named.st_dev && S_ISREG(own.st_mode))
      return lock;
    close(lock);
  }
  return -EBUSY;
}

void portolan_socket_unlock(int lock, const char *path) {
  unlink(path);
  close(lock);
}

int portolan_socket_is_locked(const char *path) {
  int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return errno == ENOENT ? 0 : -errno;
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int result = fcntl(file, F_OFD_GETLK, &lock) ? -errno : lock.l_type != F_UNLCK;
  close(file);
  return result;
}

// Sockets

int portolan_socket_pair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? -errno : 0;
}

// The address of a path. Where it is too long, it goes through the open folder, which is to be
// closed afterwards; else `*folder` is -1.
static int address_of(const char *path, struct sockaddr_un *address, int *folder) {
  *folder = -1;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  size_t length = strlen(path);
  if (length == 0) return -ENOENT;
  if (length < sizeof address->sun_path) {
    memcpy(address->sun_path, path, length + 1);
    return 0;
  }
  const char *name = strrchr(path, '/');
  if (!name || length >= 4096) return -ENAMETOOLONG;
  char start[4096];
  memcpy(start, path, (size_t)(name - path));
  start[name - path] = 0;
  *folder = open(name == path ? "/" : start, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (*folder < 0) return -errno;
  int count = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s",
                       *folder, name + 1);
  if (count < 0 || (size_t)count >= sizeof address->sun_path) {
    close(*folder);
    *folder = -1;
    return -ENAMETOOLONG;
  }
  return 0;
}

void portolan_socket_remove(const char *path) {
  struct stat status;
  if (lstat(path, &status) == 0 && S_ISSOCK(status.st_mode)) unlink(path);
}

int portolan_socket_listen(const char *path) {
  struct sockaddr_un address;
  int folder;
  int result = address_of(path, &address, &folder);
  if (result) return result;
  portolan_socket_remove(path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // The mode before the name: at no moment may another user connect.
  if (listener < 0 || fchmod(listener, 0600) ||
      bind(listener, (struct sockaddr *)&address, sizeof address) || chmod(path, 0600) ||
      listen(listener, 64)) {
    result = -errno;
    portolan_descriptor_close(listener);
  } else {
    result = listener;
  }
  portolan_descriptor_close(folder);
  return result;
}

int portolan_socket_connect(const char *path, int milliseconds) {
  struct sockaddr_un address;
  int folder;
  int result = address_of(path, &address, &folder);
  if (result) return result;
  int64_t deadline = portolan_milliseconds() + milliseconds;
  int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (end < 0) {
    result = -errno;
  } else {
    // A full queue of a listener on this machine answers EAGAIN at once, and cannot be polled.
    while (connect(end, (struct sockaddr *)&address, sizeof address)) {
      result = -errno;
      if (result == -EINTR) continue;
      if (result != -EAGAIN) break;
      if (portolan_milliseconds() >= deadline) {
        result = -ETIMEDOUT;
        break;
      }
      poll(NULL, 0, 20);
      result = 0;
    }
    if (result < 0) {
      close(end);
    } else {
      fcntl(end, F_SETFL, fcntl(end, F_GETFL) & ~O_NONBLOCK);
      result = end;
    }
  }
  portolan_descriptor_close(folder);
  return result;
}

int portolan_socket_accept(int listener) {
  int end = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  return end < 0 ? -errno : end;
}

int portolan_socket_peer(int descriptor, uint32_t *user, int *process) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)) return -errno;
  *user = peer.uid;
  *process = peer.pid;
  return 0;
}

// Streams: sockets, pipes and terminals, whose flags other programs may share. So none is changed.

static int is_ready(int descriptor, short events) {
  struct pollfd entry = {descriptor, events, 0};
  return poll(&entry, 1, 0) > 0;
}

ssize_t portolan_stream_read(int descriptor, void *bytes, size_t count) {
  for (;;) {
    ssize_t result = recv(descriptor, bytes, count, MSG_DONTWAIT);
    if (result < 0 && errno == ENOTSOCK) {
      if (!is_ready(descriptor, POLLIN)) return -EAGAIN;
      result = read(descriptor, bytes, count);
    }
    if (result >= 0) return result;
    if (errno != EINTR) return -errno;
  }
}

// A write to a pipe without a reader must not end the program.
static ssize_t write_quietly(int descriptor, const void *bytes, size_t count) {
  sigset_t broken, former, waiting;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigemptyset(&waiting);
  sigpending(&waiting);
  int was_waiting = sigismember(&waiting, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &former);
  ssize_t result = write(descriptor, bytes, count);
  int number = errno;
  if (result < 0 && number == EPIPE && !was_waiting) {
    struct timespec none = {0, 0};
    while (sigtimedwait(&broken, NULL, &none) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  errno = number;
  return result;
}

ssize_t portolan_stream_write(int descriptor, const void *bytes, size_t count) {
  for (;;) {
    ssize_t result = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (result < 0 && errno == ENOTSOCK) {
      // A pipe that is ready takes 4,096 bytes without waiting.
      if (!is_ready(descriptor, POLLOUT)) return -EAGAIN;
      result = write_quietly(descriptor, bytes, count < 4096 ? count : 4096);
    }
    if (result >= 0) return result;
    if (errno != EINTR) return -errno;
  }
}

int portolan_stream_wait(int input, int output, int wake, int milliseconds) {
  struct pollfd entries[3] = {{input, POLLIN, 0}, {output, POLLOUT, 0}, {wake, POLLIN, 0}};
  int count = poll(entries, 3, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  int events = 0;
  if (entries[0].revents) events |= PORTOLAN_READABLE;
  if (entries[1].revents) events |= PORTOLAN_WRITABLE;
  if (entries[2].revents) events |= PORTOLAN_WOKEN;
  if ((entries[0].revents | entries[1].revents) & (POLLERR | POLLNVAL)) events |= PORTOLAN_HUNG_UP;
  return events;
}

int portolan_wake_make(void) {
  int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return wake < 0 ? -errno : wake;
}

void portolan_wake_raise(int wake) {
  uint64_t one = 1;
  ssize_t done = write(wake, &one, sizeof one);
  (void)done;
}

void portolan_wake_clear(int wake) {
  uint64_t count;
  ssize_t done = read(wake, &count, sizeof count);
  (void)done;
}

// Threads

struct work {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct work work = *(struct work *)argument;
  free(argument);
  work.body(work.context);
  return NULL;
}

int portolan_thread_start(void (*body)(void *), void *context) {
  struct work *work = malloc(sizeof *work);
  if (!work) return -ENOMEM;
  *work = (struct work){body, context};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  // Signals from outside are for the other threads; what a mistake here raises is not held back.
  sigset_t held, former;
  sigfillset(&held);
  const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&held, own[index]);
  pthread_sigmask(SIG_BLOCK, &held, &former);
  pthread_t thread;
  int failure = pthread_create(&thread, &attributes, run, work);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  pthread_attr_destroy(&attributes);
  if (failure) free(work);
  return -failure;
}

uintptr_t portolan_thread_number(void) { return (uintptr_t)pthread_self(); }

struct portolan_gate {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
};

portolan_gate *portolan_gate_make(void) {
  portolan_gate *gate = malloc(sizeof *gate);
  if (!gate) return NULL;
  pthread_mutex_init(&gate->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&gate->condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return gate;
}

void portolan_gate_free(portolan_gate *gate) {
  if (!gate) return;
  pthread_cond_destroy(&gate->condition);
  pthread_mutex_destroy(&gate->mutex);
  free(gate);
}

void portolan_gate_lock(portolan_gate *gate) { pthread_mutex_lock(&gate->mutex); }
void portolan_gate_unlock(portolan_gate *gate) { pthread_mutex_unlock(&gate->mutex); }
void portolan_gate_signal(portolan_gate *gate) { pthread_cond_broadcast(&gate->condition); }

int portolan_gate_wait(portolan_gate *gate, int64_t deadline) {
  if (deadline < 0) {
    pthread_cond_wait(&gate->condition, &gate->mutex);
    return 1;
  }
  struct timespec until = {(time_t)(deadline / 1000), (long)(deadline % 1000) * 1000000};
  return pthread_cond_timedwait(&gate->condition, &gate->mutex, &until) != ETIMEDOUT;
}

// Programs

extern char **environ;

int portolan_program_start(char *const *arguments, int stream) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, stream, 0);
  posix_spawn_file_actions_adddup2(&actions, stream, 1);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  const int handled[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD, SIGTSTP, SIGWINCH};
  for (size_t index = 0; index < sizeof handled / sizeof *handled; index++)
    sigaddset(&usual, handled[index]);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t process = 0;
  int failure = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failure ? -failure : process;
}

int portolan_program_ended(int process, int *status) {
  for (;;) {
    pid_t ended = waitpid(process, status, WNOHANG);
    if (ended == process) return 1;
    if (ended == 0) return 0;
    if (errno != EINTR) return -errno;
  }
}

void portolan_program_wait(int process) {
  siginfo_t info;
  while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) && errno == EINTR) continue;
}

void portolan_program_end(int process, int at_once) {
  if (process > 1) kill(process, at_once ? SIGKILL : SIGTERM);
}

// Folders

ssize_t portolan_folder_names(const char *path, char **names) {
  *names = NULL;
  DIR *folder = opendir(path);
  if (!folder) return errno == ENOENT ? 0 : -errno;
  size_t size = 0, room = 0;
  struct dirent *entry;
  for (int count = 0; count < 10000 && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    size_t length = strlen(entry->d_name) + 1;
    if (size + length > room) {
      size_t more = (room + length) * 2;
      char *grown = realloc(*names, more);
      if (!grown) break;
      *names = grown;
      room = more;
    }
    memcpy(*names + size, entry->d_name, length);
    size += length;
    count++;
  }
  closedir(folder);
  return (ssize_t)size;
}

void portolan_folder_names_free(char *names) { free(names); }
