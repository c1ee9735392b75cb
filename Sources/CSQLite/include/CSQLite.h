#ifndef PORTOLAN_CSQLITE_H
#define PORTOLAN_CSQLITE_H

/// The calls of SQLite that databases in memory need, found when the first one is opened.
///
/// The library is no part of the build and of no start of the program: see
/// Docs/decisions/sqlite-at-run-time.md. The declarations follow its reference,
/// https://www.sqlite.org/c3ref/intro.html; libsqlite3.so.0 keeps its binary interface.

#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

/// Each call: its result, its name, its parameters.
#define PORTOLAN_SQLITE_CALLS(CALL)                                                                \
  CALL(int, sqlite3_open_v2,                                                                       \
       (const char *_Nullable, sqlite3 *_Nullable *_Nonnull, int, const char *_Nullable))          \
  CALL(int, sqlite3_close_v2, (sqlite3 * _Nullable))                                               \
  CALL(const char *_Nullable, sqlite3_errmsg, (sqlite3 * _Nullable))                               \
  CALL(int, sqlite3_exec,                                                                          \
       (sqlite3 * _Nullable, const char *_Nullable, void *_Nullable, void *_Nullable,              \
        void *_Nullable))                                                                          \
  CALL(int, sqlite3_prepare_v2,                                                                    \
       (sqlite3 * _Nullable, const char *_Nullable, int,                                           \
        sqlite3_stmt *_Nullable *_Nonnull, void *_Nullable))                                       \
  CALL(int, sqlite3_step, (sqlite3_stmt * _Nullable))                                              \
  CALL(int, sqlite3_reset, (sqlite3_stmt * _Nullable))                                             \
  CALL(int, sqlite3_finalize, (sqlite3_stmt * _Nullable))                                          \
  CALL(int, sqlite3_column_count, (sqlite3_stmt * _Nullable))                                      \
  CALL(int, sqlite3_column_type, (sqlite3_stmt * _Nullable, int))                                  \
  CALL(int64_t, sqlite3_column_int64, (sqlite3_stmt * _Nullable, int))                             \
  CALL(double, sqlite3_column_double, (sqlite3_stmt * _Nullable, int))                             \
  CALL(const unsigned char *_Nullable, sqlite3_column_text, (sqlite3_stmt * _Nullable, int))       \
  CALL(const void *_Nullable, sqlite3_column_blob, (sqlite3_stmt * _Nullable, int))                \
  CALL(int, sqlite3_column_bytes, (sqlite3_stmt * _Nullable, int))                                 \
  CALL(int, sqlite3_bind_int64, (sqlite3_stmt * _Nullable, int, int64_t))                          \
  CALL(int, sqlite3_bind_double, (sqlite3_stmt * _Nullable, int, double))                          \
  CALL(int, sqlite3_bind_null, (sqlite3_stmt * _Nullable, int))                                    \
  CALL(int, sqlite3_bind_text,                                                                     \
       (sqlite3_stmt * _Nullable, int, const char *_Nullable, int, void *_Nullable))               \
  CALL(int, sqlite3_bind_blob,                                                                     \
       (sqlite3_stmt * _Nullable, int, const void *_Nullable, int, void *_Nullable))               \
  CALL(int, sqlite3_limit, (sqlite3 * _Nullable, int, int))                                        \
  CALL(void, sqlite3_progress_handler,                                                             \
       (sqlite3 * _Nullable, int, int (*_Nullable)(void *_Nullable), void *_Nullable))             \
  CALL(void *_Nullable, sqlite3_malloc64, (uint64_t))                                              \
  CALL(void, sqlite3_free, (void *_Nullable))                                                      \
  CALL(int, sqlite3_deserialize,                                                                   \
       (sqlite3 * _Nullable, const char *_Nullable, unsigned char *_Nullable, int64_t, int64_t,    \
        unsigned))                                                                                 \
  CALL(unsigned char *_Nullable, sqlite3_serialize,                                                \
       (sqlite3 * _Nullable, const char *_Nullable, int64_t *_Nullable, unsigned))

#define PORTOLAN_SQLITE_FIELD(result, name, parameters) result(*_Nonnull name) parameters;

/// The calls by their names in the library.
typedef struct {
  PORTOLAN_SQLITE_CALLS(PORTOLAN_SQLITE_FIELD)
} portolan_sqlite;

/// Finds all calls: returns 1, or 0 if the library is missing or too old. It stays loaded.
int portolan_sqlite_find(portolan_sqlite *_Nonnull calls);

/// Takes from the schema of a file what could act: triggers, functions with effects, writable
/// schemas. Returns 0, or the code of the call that failed.
int portolan_sqlite_harden(sqlite3 *_Nonnull database);

#endif
