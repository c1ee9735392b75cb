#ifndef PORTOLAN_TERMINAL_GUARD_H
#define PORTOLAN_TERMINAL_GUARD_H

/// Gives the terminal back however the process ends, and turns signals into bytes of a pipe.
///
/// There is one terminal a process, so there is one guard, and all its state is here. Handlers only
/// write bytes that were prepared, restore the terminal's modes, and end by the same signal, so the
/// wait status stays truthful. Once a handler has begun to end the process nothing else reaches the
/// terminal: all output passes the guard, and a thread that comes to it then stays there.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

/// Takes the terminal's present modes as those to restore, and installs the handlers.
///
/// The guard starts at rest: see `portolan_guard_activate`. Returns 0, or -1 and errno.
int portolan_guard_install(int terminal);

/// Installs the handlers again: curses puts its own over some of them.
void portolan_guard_reinstall(void);

/// A pipe whose ends never wait and are closed in other programs (pipe2).
int portolan_pipe(int ends[2]);

/// The bytes that leave the screen as it was; copied (up to 2 KiB).
void portolan_guard_set_bytes(const uint8_t *bytes, size_t count);

/// Says whether the terminal owes replies: on giving it back, those that come within a tenth of a
/// second are discarded, lest the shell takes them for typed text.
void portolan_guard_expect_replies(int are_due);

/// Whether the signals that come to this thread wait, as between taking the terminal and
/// preparing to give it back.
void portolan_guard_hold_signals(int are_held);

/// Between these two the calling thread, one at a time, writes to the terminal or changes its modes
/// by other means than `portolan_guard_write`; not nested. The first never returns once the process
/// is ending. Keep it short: a handler waits for the second.
void portolan_guard_begin_output(void);
void portolan_guard_end_output(void);

/// Writes bytes to the terminal, as many as it takes now where its descriptor does not wait; returns
/// how many, or -1 if it is gone. Never returns once the process is ending.
ssize_t portolan_guard_write(const uint8_t *bytes, size_t count);

/// Gives the terminal back as a handler does, if it is ours: writes the prepared bytes and restores
/// the modes.
void portolan_guard_leave(void);

/// Says whether the terminal is ours now and must be given back.
void portolan_guard_activate(int active);

/// A line for standard error when the process is ended by a signal, such as where the work is kept;
/// copied (up to 1 KiB).
void portolan_guard_set_message(const uint8_t *bytes, size_t count);

/// The pipe's end to read signal numbers from: SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGINT.
int portolan_guard_signals(void);

/// The signal that asked the process to end; 0 if none did.
///
/// After one, the program has three seconds to end by itself; a second one ends it at once.
int portolan_guard_end_signal(void);

/// Stops the process (its whole group if asked) as the terminal's stop key does; returns when it
/// was continued, or soon when it cannot be stopped.
void portolan_guard_stop(int whole_group);

/// Gives the signals their former handlers again.
void portolan_guard_remove(void);

/// Ends the process by a signal's default action.
void portolan_guard_end_by(int signal);

/// Gives the calling thread a stack for handlers, so that even a stack overflow on it is handled.
void portolan_guard_protect_thread(void);

/// The lowest of the descriptors 0, 1 and 2 that is closed; -1 when all are open. A document opened
/// then would get its number and whatever is printed.
int portolan_closed_standard_stream(void);

#endif
