#ifndef PORTOLAN_STACK_BOUNDS_H
#define PORTOLAN_STACK_BOUNDS_H
#include <stddef.h>

// Bytes between the caller's stack pointer and the end of this thread's stack.
// The bounds are asked for once a thread. PTRDIFF_MAX when the system does not tell them.
ptrdiff_t portolan_stack_left(void);

#endif
