#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "StackBounds.h"
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
