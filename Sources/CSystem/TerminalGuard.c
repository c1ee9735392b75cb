#define _GNU_SOURCE
#include "TerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { STACK_SIZE = 64 * 1024, SECONDS_TO_END = 3, PIECE_MAX = 4096 };

/// Ended by these, the process has no way on.
static const int fatal_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,
                                    SIGSEGV, SIGSYS, SIGXCPU, SIGQUIT, SIGVTALRM, SIGPROF};
/// These ask the program to do something.
static const int told_signals[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGINT};
/// These mean nothing to us and would end us; SIGXFSZ and SIGPIPE come back as errors of calls.
static const int ignored_signals[] = {SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2};

enum { COUNT_MAX = 64 };

static atomic_int active;
/// The thread that is writing to the terminal or changing its modes; 0 while none is.
static atomic_int writer;
/// The thread that ends the process; 0 until one does. No other thread writes from then on.
static atomic_int ender;
static atomic_int end_signal;
static int terminal = -1;
static struct termios modes;
static int pipe_ends[2] = {-1, -1};
static uint8_t leave_bytes[2][2048];
static size_t leave_counts[2];
static atomic_int leave_index;
static atomic_int replies_due;
static uint8_t message[2][1024];
static size_t message_counts[2];
static atomic_int message_index;
static struct sigaction former[COUNT_MAX];
static atomic_int installed;
static int registered_exit;

static void rest(long milliseconds) {
  struct timespec time = {.tv_nsec = milliseconds * 1000 * 1000};
  nanosleep(&time, NULL);
}

static void hold_signals(sigset_t *former_mask) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, former_mask);
}

void portolan_guard_begin_output(void) {
  int self = gettid();
  atomic_store(&writer, self);
  int ending = atomic_load(&ender);
  if (ending == 0 || ending == self) return;
  atomic_store(&writer, 0);
  for (;;) pause();
}

void portolan_guard_end_output(void) { atomic_store(&writer, 0); }

/// Writes all bytes, in pieces; waits so many tenths of a second for a terminal that takes none.
static int write_all(int descriptor, const uint8_t *bytes, size_t count, int patience,
                     int is_guarded) {
  int waits = 0;
  while (count > 0) {
    if (is_guarded) portolan_guard_begin_output();
    ssize_t written = write(descriptor, bytes, count < PIECE_MAX ? count : PIECE_MAX);
    if (is_guarded) portolan_guard_end_output();
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
      waits = 0;
    } else if (written == -1 && errno == EINTR) {
      continue;
    } else if (written == -1 && errno == EAGAIN && waits++ < patience) {
      struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
      poll(&ready, 1, 100);
    } else {
      return 0;
    }
  }
  return 1;
}

ssize_t portolan_guard_write(const uint8_t *bytes, size_t count) {
  size_t done = 0;
  while (done < count) {
    size_t rest = count - done;
    portolan_guard_begin_output();
    ssize_t written = write(terminal, bytes + done, rest < PIECE_MAX ? rest : PIECE_MAX);
    int error = errno;
    portolan_guard_end_output();
    if (written > 0) done += (size_t)written;
    else if (written == -1 && error == EAGAIN) break;
    else if (written != -1 || error != EINTR) return -1;
  }
  return (ssize_t)done;
}

/// Gives the terminal back, once, unless another job has it; returns whether it was ours.
///
/// It waits so many tenths of a second for a terminal that takes nothing, whoever made it wait.
static int leave(int patience) {
  if (!atomic_exchange(&active, 0)) return 0;
  pid_t foreground = tcgetpgrp(terminal);
  if (foreground != -1 && foreground != getpgrp()) return 1;
  int flags = fcntl(terminal, F_GETFL);
  if (flags != -1) fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
  int index = atomic_load(&leave_index);
  write_all(terminal, leave_bytes[index], leave_counts[index], patience, 0);
  if (flags != -1) fcntl(terminal, F_SETFL, flags);
  if (atomic_load(&replies_due)) {
    // The shell would take a reply that comes after us for typed text.
    rest(100);
    tcflush(terminal, TCIFLUSH);
  }
  tcsetattr(terminal, TCSANOW, &modes);
  return 1;
}

void portolan_guard_leave(void) {
  sigset_t mask;
  hold_signals(&mask);
  portolan_guard_begin_output();
  leave(50);
  portolan_guard_end_output();
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void say_message(void) {
  int index = atomic_load(&message_index);
  if (message_counts[index] > 0)
    write_all(STDERR_FILENO, message[index], message_counts[index], 10, 0);
}

static void end_by(int number) {
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigaction(number, &plain, NULL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  raise(number);
  // Signals without a handler do not end the first process of a container.
  _exit(128 + number);
}

/// Waits up to a second until no other thread is amid its output; none begins a new one.
static void await_writer(int self) {
  for (int waits = 0; waits < 1000; waits++) {
    int other = atomic_load(&writer);
    if (other == 0 || other == self) return;
    rest(1);
  }
}

static void on_fatal(int number) {
  // What goes wrong in here ends the process at once: a fault that is held back is not handled.
  hold_signals(NULL);
  int self = gettid();
  int first = 0;
  if (!atomic_compare_exchange_strong(&ender, &first, self)) {
    for (;;) pause();
  }
  await_writer(self);
  if (leave(10)) say_message();
  end_by(number);
}

static void tell(int number) {
  int saved = errno;
  uint8_t byte = (uint8_t)number;
  ssize_t written = write(pipe_ends[1], &byte, 1);
  (void)written;
  errno = saved;
}

static void on_told(int number) { tell(number); }

static void on_end(int number) {
  int none = 0;
  if (!atomic_compare_exchange_strong(&end_signal, &none, number)) {
    // The kernel and the shell each tell of one hang-up.
    if (number == SIGHUP && none == SIGHUP) return;
    on_fatal(number);
    return;
  }
  alarm(SECONDS_TO_END);
  tell(number);
}

/// The program did not end by itself in time.
static void on_alarm(int number) {
  (void)number;
  int asked = atomic_load(&end_signal);
  if (asked) on_fatal(asked);
}

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static int is_end(int number) {
  return number == SIGTERM || number == SIGHUP || number == SIGINT;
}

static void install_handlers(void) {
  for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
    handle(fatal_signals[i], on_fatal, SA_ONSTACK);
  for (size_t i = 0; i < sizeof told_signals / sizeof *told_signals; i++)
    handle(told_signals[i], is_end(told_signals[i]) ? on_end : on_told, SA_ONSTACK | SA_RESTART);
  for (size_t i = 0; i < sizeof ignored_signals / sizeof *ignored_signals; i++)
    handle(ignored_signals[i], SIG_IGN, 0);
  handle(SIGALRM, on_alarm, SA_ONSTACK | SA_RESTART);
}

int portolan_guard_install(int descriptor) {
  if (tcgetattr(descriptor, &modes) == -1) return -1;
  if (pipe_ends[0] == -1 && portolan_pipe(pipe_ends) == -1) return -1;
  portolan_guard_set_bytes(NULL, 0);
  atomic_store(&replies_due, 0);
  terminal = descriptor;
  atomic_store(&active, 0);
  atomic_store(&end_signal, 0);
  portolan_guard_protect_thread();
  if (!atomic_exchange(&installed, 1)) {
    for (int number = 1; number < COUNT_MAX; number++) sigaction(number, NULL, &former[number]);
    install_handlers();
  }
  if (!registered_exit) {
    registered_exit = 1;
    atexit(portolan_guard_leave);
  }
  return 0;
}

void portolan_guard_reinstall(void) { install_handlers(); }

int portolan_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

void portolan_guard_set_bytes(const uint8_t *bytes, size_t count) {
  int next = 1 - atomic_load(&leave_index);
  if (count > sizeof leave_bytes[0]) count = sizeof leave_bytes[0];
  if (count > 0) memcpy(leave_bytes[next], bytes, count);
  leave_counts[next] = count;
  atomic_store(&leave_index, next);
}

void portolan_guard_expect_replies(int are_due) { atomic_store(&replies_due, are_due); }

void portolan_guard_activate(int is_active) { atomic_store(&active, is_active); }

void portolan_guard_set_message(const uint8_t *bytes, size_t count) {
  int next = 1 - atomic_load(&message_index);
  if (count > sizeof message[0]) count = sizeof message[0];
  if (count > 0) memcpy(message[next], bytes, count);
  message_counts[next] = count;
  atomic_store(&message_index, next);
}

int portolan_guard_signals(void) { return pipe_ends[0]; }

int portolan_guard_end_signal(void) { return atomic_load(&end_signal); }

void portolan_guard_stop(int whole_group) {
  struct sigaction ours;
  sigaction(SIGTSTP, NULL, &ours);
  handle(SIGTSTP, SIG_DFL, 0);
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &before);
  // A SIGCONT that came before the stop must not be taken for the one that ends it.
  uint8_t number;
  while (read(pipe_ends[0], &number, 1) == 1) {
  }
  if (whole_group) {
    kill(0, SIGTSTP);
  } else {
    raise(SIGTSTP);
  }
  // Another thread may have been told first: we stop a moment later then. An orphaned group does
  // not stop at all.
  struct pollfd continued = {.fd = pipe_ends[0], .events = POLLIN};
  poll(&continued, 1, 200);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGTSTP, &ours, NULL);
}

void portolan_guard_remove(void) {
  if (!atomic_exchange(&installed, 0)) return;
  for (int number = 1; number < COUNT_MAX; number++) {
    if (number != SIGKILL && number != SIGSTOP && number != 32 && number != 33)
      sigaction(number, &former[number], NULL);
  }
}

void portolan_guard_end_by(int number) {
  portolan_guard_leave();
  end_by(number);
}

void portolan_guard_hold_signals(int are_held) {
  static sigset_t mask;
  if (are_held) hold_signals(&mask);
  else pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void portolan_guard_protect_thread(void) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE) &&
      stack.ss_size >= STACK_SIZE)
    return;
  void *memory = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t ours = {.ss_sp = memory, .ss_size = STACK_SIZE};
  sigaltstack(&ours, NULL);
}

int portolan_closed_standard_stream(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) return descriptor;
  }
  return -1;
}
