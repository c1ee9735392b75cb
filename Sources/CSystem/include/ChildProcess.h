#ifndef PORTOLAN_CHILD_PROCESS_H
#define PORTOLAN_CHILD_PROCESS_H

/// Programs that are run as processes of their own, without a shell, within limits.
///
/// Each has a process group and a folder of its own. The processes under way are listed here, so
/// that a signal which ends this program ends them and removes their folders.

#include <stdint.h>
#include <sys/types.h>

/// What to start, and its limits; the texts are copied or used during the call only.
typedef struct {
  /// The file of the program, absolute.
  const char *path;
  /// The arguments, the name of the program first, and the environment; each ends with NULL.
  char *const *arguments;
  char *const *environment;
  /// The folder that it works in.
  const char *folder;
  /// The files that take standard output and standard error, relative to the folder.
  const char *output;
  const char *errors;
  /// The most bytes of its address space and of one file, and the most seconds of processor time.
  uint64_t memory, file_size, seconds;
} portolan_program;

/// Starts a program: 0, or the number of the error. Standard input is empty.
int portolan_start_process(const portolan_program *program, pid_t *process);

/// Waits so many milliseconds for the end of a process.
///
/// Returns 1 when it has ended, with the status of waitpid(2); 0 when it has not; -1 and errno.
int portolan_wait_process(pid_t process, int milliseconds, int *status);

/// Ends a process and all that it started, at once; it is still to be waited for.
void portolan_kill_process(pid_t process);

/// Lists a folder that is removed with its files when this program is ended by a signal: its number,
/// or -1 when the list is full.
int portolan_list_folder(const char *path);
void portolan_unlist_folder(int number);

/// Ends all processes under way, removes the listed folders, and ends this program with a code.
_Noreturn void portolan_end_program(int code);

#endif
