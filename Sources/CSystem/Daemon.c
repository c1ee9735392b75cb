#define _GNU_SOURCE
#include "Daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int portolan_start_daemon(const char *path, char *const *arguments, pid_t *process, int *output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return errno;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  if (!error) error = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!error) error = posix_spawn(process, path, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return error;
  }
  *output = ends[0];
  return 0;
}

void portolan_drop_streams(void) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  for (int descriptor = 0; descriptor < 3; descriptor++) dup2(nothing, descriptor);
  if (nothing > 2) close(nothing);
}

/// Whether a process is stopped, by its line in /proc; only calls that are safe after fork.
static int is_stopped(const char *stat_path) {
  char text[512];
  int file = open(stat_path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return 0;
  text[count] = 0;
  // The name in parentheses may hold anything.
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' && end[2] == 'T';
}

static void pause_milliseconds(long count) {
  struct timespec time = {.tv_sec = 0, .tv_nsec = count * 1000000};
  nanosleep(&time, NULL);
}

/// Stops this process and has it continued: its shell takes it for a job in the background.
static void let_shell_go_on(int terminal) {
  pid_t own = getpid(), group = getpgrp();
  char stat_path[64];
  snprintf(stat_path, sizeof stat_path, "/proc/%d/stat", (int)own);
  pid_t helper = fork();
  if (helper < 0) return;
  if (helper == 0) {
    for (int i = 0; i < 200 && !is_stopped(stat_path); i++) pause_milliseconds(5);
    // The shell has to see the stop, and takes the terminal then.
    for (int i = 0; i < 100 && tcgetpgrp(terminal) == group; i++) pause_milliseconds(5);
    pause_milliseconds(20);
    for (int i = 0; i < 40; i++) {
      kill(own, SIGCONT);
      pause_milliseconds(20);
      if (!is_stopped(stat_path) && i > 2) break;
    }
    _exit(0);
  }
  kill(own, SIGSTOP);
  while (waitpid(helper, NULL, 0) == -1 && errno == EINTR) {
  }
}

int portolan_leave_terminal(int is_gone) {
  alarm(0);
  const int numbers[] = {SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  // A shell with job control gives each job a process group, which the foreground one has.
  int is_job = !is_gone && getpgrp() == getpid() && getsid(0) != getpid() &&
               tcgetpgrp(STDOUT_FILENO) == getpgrp();
  int terminal = is_job ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1;
  portolan_drop_streams();
  if (terminal < 0) return 0;
  let_shell_go_on(terminal);
  close(terminal);
  return 1;
}

/// Starts a program on the terminal; 0 if it cannot be started.
static pid_t start_at(int terminal, const char *path, char *const *arguments) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int error = 0;
  for (int descriptor = 0; descriptor < 3 && !error; descriptor++)
    error = posix_spawn_file_actions_adddup2(&actions, terminal, descriptor);
  pid_t process = 0;
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!error) error = posix_spawn(&process, path, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error ? 0 : process;
}

static atomic_bool foreground_ends;

void portolan_end_foreground(void) { atomic_store(&foreground_ends, 1); }

int portolan_show_in_foreground(const char *path, char *const *arguments) {
  static pid_t shown;
  // So many looks are passed over until the shell was seen to have the terminal.
  static int patience = 5;
  if (atomic_load(&foreground_ends)) return 0;
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (terminal < 0) return 0;
  if (tcgetpgrp(terminal) != getpgrp()) {
    patience = 0;
  } else if (patience > 0) {
    patience--;
  } else {
    if (shown) kill(shown, SIGCONT);
    else shown = start_at(terminal, path, arguments);
    int status = 0;
    pid_t found = -1;
    while (shown && (found = waitpid(shown, &status, WUNTRACED)) == -1 && errno == EINTR) {
    }
    if (found == -1 || !WIFSTOPPED(status)) shown = 0;
    // The end of this process lets the shell go on, too.
    if (!atomic_load(&foreground_ends)) let_shell_go_on(terminal);
    patience = 5;
  }
  close(terminal);
  return 1;
}
