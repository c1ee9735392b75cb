#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "StackBounds.h"
#include "FurtherStack.h"
#include <pthread.h>
#include <stdint.h>

static _Thread_local uintptr_t stack_low;

#if defined(__APPLE__)

static uintptr_t find_stack_low(void) {
  pthread_t self = pthread_self();
  uintptr_t high = (uintptr_t)pthread_get_stackaddr_np(self);
  size_t size = pthread_get_stacksize_np(self);
  return high > size ? high - size : 1;
}

#elif defined(__linux__)

static uintptr_t find_stack_low(void) {
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0, guard = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 1;
  if (pthread_attr_getstack(&attributes, &low, &size) != 0) low = NULL;
  if (pthread_attr_getguardsize(&attributes, &guard) != 0) guard = 0;
  pthread_attr_destroy(&attributes);
  return low ? (uintptr_t)low + guard : 1;
}

#else

static uintptr_t find_stack_low(void) { return 1; }

#endif

__attribute__((noinline)) ptrdiff_t portolan_stack_left(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (stack_low == 0) stack_low = find_stack_low();
  if (stack_low == 1) return PTRDIFF_MAX;
  return (ptrdiff_t)(here - stack_low);
}

// A second stack needs <ucontext.h>, which musl lacks and Apple has deprecated; sanitizers would
// have to be told of the change.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PORTOLAN_SANITIZED 1
#endif
#endif
#if defined(__GLIBC__) && !defined(PORTOLAN_SANITIZED)

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static size_t guard_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

void *portolan_stack_allocate(size_t size) {
  size_t guard = guard_size();
  if (size > SIZE_MAX - guard) return NULL;
  char *memory = mmap(
      NULL, size + guard, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  if (mprotect(memory, guard, PROT_NONE) != 0) {
    munmap(memory, size + guard);
    return NULL;
  }
  return memory + guard;
}

void portolan_stack_free(void *stack, size_t size) {
  size_t guard = guard_size();
  munmap((char *)stack - guard, size + guard);
}

typedef struct {
  void (*body)(void *context);
  void *context;
  // What the thread's own stack had left.
  ptrdiff_t own_left;
  ucontext_t caller;
} FurtherCall;

// The call that this thread makes on a second stack.
static _Thread_local FurtherCall *further_call;

static void enter_further(void) { further_call->body(further_call->context); }

__attribute__((noinline)) bool portolan_stack_call(
    void *stack, size_t size, void (*body)(void *context), void *context) {
  if (further_call) return false;
  FurtherCall call = {.body = body, .context = context, .own_left = portolan_stack_left()};
  ucontext_t further;
  if (getcontext(&further) != 0) return false;
  further.uc_stack.ss_sp = stack;
  further.uc_stack.ss_size = size;
  further.uc_link = &call.caller;
  makecontext(&further, enter_further, 0);
  uintptr_t low = stack_low;
  further_call = &call;
  stack_low = (uintptr_t)stack;
  int failed = swapcontext(&call.caller, &further);
  stack_low = low;
  further_call = NULL;
  return failed == 0;
}

bool portolan_stack_is_further(void) { return further_call != NULL; }

ptrdiff_t portolan_stack_own_left(void) {
  return further_call ? further_call->own_left : portolan_stack_left();
}

#else

void *portolan_stack_allocate(size_t size) {
  (void)size;
  return NULL;
}

void portolan_stack_free(void *stack, size_t size) { (void)stack, (void)size; }

bool portolan_stack_call(
    void *stack, size_t size, void (*body)(void *context), void *context) {
  (void)stack, (void)size, (void)body, (void)context;
  return false;
}

bool portolan_stack_is_further(void) { return false; }

ptrdiff_t portolan_stack_own_left(void) { return portolan_stack_left(); }

#endif
