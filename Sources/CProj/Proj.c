#include "CProj.h"

#include <dlfcn.h>

#define PORTOLAN_PROJ_FIND(result, name, parameters)                                               \
  if (!(*(void **)&calls->name = dlsym(library, #name))) return 0;

// Of Debian 12, Ubuntu 22.04, Debian 11, Debian 13.
static const char *const names[] = {"libproj.so.25", "libproj.so.22", "libproj.so.19",
                                    "libproj.so"};

int portolan_proj_find(portolan_proj *calls) {
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  }
  if (!library) return 0;
  PORTOLAN_PROJ_CALLS(PORTOLAN_PROJ_FIND)
  return 1;
}
