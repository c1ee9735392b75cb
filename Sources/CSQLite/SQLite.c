#include "CSQLite.h"

#include <dlfcn.h>
#include <stddef.h>

#define PORTOLAN_SQLITE_FIND(result, name, parameters)                                             \
  if (!(*(void **)&calls->name = dlsym(library, #name))) return 0;

static void *open_library(void) {
  return dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

int portolan_sqlite_find(portolan_sqlite *calls) {
  void *library = open_library();
  if (!library) return 0;
  PORTOLAN_SQLITE_CALLS(PORTOLAN_SQLITE_FIND)
  return 1;
}

// The numbers of SQLITE_DBCONFIG_….
enum { enable_trigger = 1003, defensive = 1010, trusted_schema = 1017 };

int portolan_sqlite_harden(sqlite3 *database) {
  int (*configure)(sqlite3 *, int, ...) = NULL;
  void *library = open_library();
  if (library) *(void **)&configure = dlsym(library, "sqlite3_db_config");
  if (!configure) return 1;
  int code = configure(database, defensive, 1, (int *)NULL);
  if (!code) code = configure(database, trusted_schema, 0, (int *)NULL);
  if (!code) code = configure(database, enable_trigger, 0, (int *)NULL);
  return code;
}
