#ifndef PORTOLAN_CSYSTEM_H
#define PORTOLAN_CSYSTEM_H

/// Calls and constants that Swift cannot see, and the state of signal handlers.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "ChildProcess.h"
#include "Daemon.h"
#include "QuietThread.h"
#include "TerminalGuard.h"

/// renameat2(2); -1 and errno as there.
int portolan_rename(int from_directory, const char *from, int to_directory, const char *to,
                    unsigned int flags);

/// Flags of `portolan_rename`.
enum { PORTOLAN_RENAME_NOREPLACE = 1, PORTOLAN_RENAME_EXCHANGE = 2 };

/// Takes a lock of the whole file that belongs to the open file description (F_OFD_SETLK), without
/// waiting: 0 when taken, -1 and EAGAIN or EACCES when another holds it.
int portolan_lock(int descriptor, int exclusive);

/// Whether another open file description holds a lock of the file: 1 or 0; -1 and errno.
int portolan_is_locked(int descriptor);

/// Gives the lock back.
int portolan_unlock(int descriptor);

/// The system's text for an error number, in English; never NULL, valid for ever.
const char *portolan_error_text(int number);

/// openat(2) with a mode, which is variadic in C.
int portolan_open(int directory, const char *path, int flags, unsigned int mode);

/// flistxattr(2), fgetxattr(2) and fsetxattr(2).
ssize_t portolan_attribute_names(int descriptor, char *names, size_t size);
ssize_t portolan_attribute(int descriptor, const char *name, void *value, size_t size);
int portolan_set_attribute(int descriptor, const char *name, const void *value, size_t size);

/// fremovexattr(2).
int portolan_remove_attribute(int descriptor, const char *name);

/// memfd_create(2): a file that is in memory alone; -1 and errno as there.
int portolan_memory_file(const char *name);

/// The process's umask, without changing it where the system tells it.
unsigned int portolan_creation_mask(void);

#endif
