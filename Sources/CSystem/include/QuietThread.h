#ifndef PORTOLAN_QUIET_THREAD_H
#define PORTOLAN_QUIET_THREAD_H

/// Calls `body` on a thread of its own, which gets little of a processor that others want, and
/// waits for it; on this one where no thread can be had.
void portolan_run_quietly(void (*body)(void *), void *context);

#endif
