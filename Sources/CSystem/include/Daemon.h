#ifndef PORTOLAN_DAEMON_H
#define PORTOLAN_DAEMON_H

/// Programs that outlive their terminal.

#include <sys/types.h>

/// Starts a program in a session of its own, without a terminal: standard input is empty, standard
/// error goes nowhere, standard output is a pipe whose reading end is returned.
///
/// Returns 0, or the number of the error. `arguments` ends with NULL.
int portolan_start_daemon(const char *path, char *const *arguments, pid_t *process, int *output);

/// Leads the descriptors 0, 1 and 2 to /dev/null.
void portolan_drop_streams(void);

/// Lets the process go on after its terminal has gone, or was given back.
///
/// Hang-ups and stops by the terminal do nothing from then on. Where a shell waits for the process
/// as a job of its own, the process stops for a moment, so that the shell goes on, and is continued
/// in the background. Returns whether it is one.
int portolan_leave_terminal(int is_gone);

/// Where the shell has this process's job in the foreground, as after `fg`: runs a program on the
/// terminal until it ends or stops, and lets the shell go on then. One that was stopped before is
/// continued. For one thread; returns 0 once the terminal has gone.
int portolan_show_in_foreground(const char *path, char *const *arguments);

/// Lets `portolan_show_in_foreground` start nothing from now on, as this process ends: the one that
/// is under way returns with the end of its program, and does not stop this process for the shell.
void portolan_end_foreground(void);

#endif
