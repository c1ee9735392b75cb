#ifndef PORTOLAN_FURTHER_STACK_H
#define PORTOLAN_FURTHER_STACK_H
#include <stdbool.h>
#include <stddef.h>

// Memory for a second stack, `size` bytes and a guard page below them. Pages that are never
// touched take no memory. NULL when there is none, or where stacks cannot be changed.
void *portolan_stack_allocate(size_t size);
void portolan_stack_free(void *stack, size_t size);

// Calls `body(context)` on such a stack, on the calling thread, and returns when the body does.
// False, without a call, on a thread that is on a second stack already.
// `portolan_stack_left` gives what is left of the second stack during the call.
bool portolan_stack_call(
    void *stack, size_t size, void (*body)(void *context), void *context);

// Whether the calling thread is on a second stack.
bool portolan_stack_is_further(void);

// Bytes that are left of the thread's own stack; on a second one, those that were when the call
// began.
ptrdiff_t portolan_stack_own_left(void);

#endif
