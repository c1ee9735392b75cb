#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "QuietThread.h"
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct work {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  const struct work *work = argument;
  // Linux keeps a niceness for each thread. One that may not be had is done without.
  (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
  work->body(work->context);
  return NULL;
}

void portolan_run_quietly(void (*body)(void *), void *context) {
  struct work work = {body, context};
  pthread_t thread;
  // Signals from outside are for the other threads; what a mistake here raises is not held back.
  sigset_t held, former;
  sigfillset(&held);
  const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&held, own[index]);
  pthread_sigmask(SIG_BLOCK, &held, &former);
  int failure = pthread_create(&thread, NULL, run, &work);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
  if (failure) body(context);
  else pthread_join(thread, NULL);
}
