#ifndef PORTOLAN_CSOCKETS_H
#define PORTOLAN_CSOCKETS_H

/// Sockets, pipes, threads and waiting for connections between programs.
///
/// Functions that can fail return the negative number of the error, and never wait unless they say
/// so. All descriptors that they make are closed in programs that this one starts.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The system's text for an error number, in English; never NULL, valid for ever.
const char *portolan_socket_error_text(int number);

/// Milliseconds of a clock that never goes back.
int64_t portolan_milliseconds(void);

/// The user and the number of this process.
uint32_t portolan_own_user(void);
int portolan_own_process(void);

/// Two connected sockets.
int portolan_socket_pair(int ends[2]);

/// Makes a folder for this user alone, unless it is there; refuses one that others may enter
/// (EPERM), one of another user (EACCES), and what is no folder (ENOTDIR).
int portolan_private_folder(const char *path);

/// Takes the lock file of a socket, which says that its owner lives: its descriptor, or -EBUSY.
int portolan_socket_lock(const char *path);

/// Removes the lock file while it is held, and gives the lock back.
void portolan_socket_unlock(int lock, const char *path);

/// Whether the owner of a lock file lives: 1 or 0; no lock file is 0.
int portolan_socket_is_locked(const char *path);

/// Listens at a path, which only this user may use; removes a socket that is there. The path may be
/// longer than the 107 bytes of a socket's address; the name behind its last slash may not.
int portolan_socket_listen(const char *path);

/// Removes the socket at a path.
void portolan_socket_remove(const char *path);

/// Connects to a path; waits at most so many milliseconds for a place in the queue of the listener.
int portolan_socket_connect(const char *path, int milliseconds);

/// Takes the next client of a listener.
int portolan_socket_accept(int listener);

/// The user and the process at the other end, by the word of the kernel.
int portolan_socket_peer(int descriptor, uint32_t *user, int *process);

/// Reads what is there: the count of bytes, 0 at the end, -EAGAIN when nothing is there.
ssize_t portolan_stream_read(int descriptor, void *bytes, size_t count);

/// Writes what there is room for: the count of bytes, or -EAGAIN. Raises no SIGPIPE.
ssize_t portolan_stream_write(int descriptor, const void *bytes, size_t count);

/// What `portolan_stream_wait` found.
enum { PORTOLAN_READABLE = 1, PORTOLAN_WRITABLE = 2, PORTOLAN_WOKEN = 4, PORTOLAN_HUNG_UP = 8 };

/// Waits for events: of `input` (-1: none), of `output` (-1: none), of `wake`; at most so many
/// milliseconds, -1 for ever. Returns the events, 0 when the time is over.
int portolan_stream_wait(int input, int output, int wake, int milliseconds);

/// A descriptor that another thread can make readable.
int portolan_wake_make(void);
void portolan_wake_raise(int wake);
void portolan_wake_clear(int wake);

void portolan_descriptor_close(int descriptor);

/// Runs `body` on a new thread with 8 MiB of stack, to which no signals of others come: 0 or an error.
int portolan_thread_start(void (*body)(void *), void *context);

/// A number of the calling thread, unique while it runs; never 0.
uintptr_t portolan_thread_number(void);

/// A lock on which threads can wait for each other.
typedef struct portolan_gate portolan_gate;

/// NULL when there is no memory.
portolan_gate *portolan_gate_make(void);
void portolan_gate_free(portolan_gate *gate);
void portolan_gate_lock(portolan_gate *gate);
void portolan_gate_unlock(portolan_gate *gate);
/// Wakes all who wait.
void portolan_gate_signal(portolan_gate *gate);
/// Waits with the lock given back; until a time of `portolan_milliseconds`, negative for ever.
/// Returns 0 when the time is over.
int portolan_gate_wait(portolan_gate *gate, int64_t deadline);

/// Starts a program with `stream` as its standard input and output: its process number.
///
/// The texts of `arguments`, the program's name first, end with NULL; the environment and standard
/// error are those of this program. The program is found in `PATH`.
int portolan_program_start(char *const *arguments, int stream);

/// Whether a process that was started has ended: 1 with its wait status, once, or 0.
int portolan_program_ended(int process, int *status);

/// Waits until a process has ended; `portolan_program_ended` tells how.
void portolan_program_wait(int process);

/// Asks a process to end, or ends it.
void portolan_program_end(int process, int at_once);

/// The names of a folder, one after the other, each ended by a zero byte: the count of bytes in
/// `*names`, which is to be freed; at most 10,000 names.
ssize_t portolan_folder_names(const char *path, char **names);
void portolan_folder_names_free(char *names);

#endif
