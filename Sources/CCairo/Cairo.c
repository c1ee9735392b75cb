#include "CCairo.h"

#include <dlfcn.h>
#include <stddef.h>

static const char cairo[] = "libcairo.so.2";
static const char pango[] = "libpango-1.0.so.0";
static const char pangocairo[] = "libpangocairo-1.0.so.0";
static const char gobject[] = "libgobject-2.0.so.0";
// Cairo needs it for PNG files.
static const char zlib[] = "libz.so.1";

/// A loaded library; it is never unloaded, for its types are registered for ever.
static void *open_library(const char *name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

#define PORTOLAN_CAIRO_FIND(library, result, name, parameters)                                     \
  if (!(*(void **)&calls->name = dlsym(library##_handle, #name))) return library;

const char *portolan_cairo_find(portolan_cairo *calls) {
  void *cairo_handle = open_library(cairo);
  if (!cairo_handle) return cairo;
  void *pangocairo_handle = open_library(pangocairo);
  if (!pangocairo_handle) return pangocairo;
  void *pango_handle = open_library(pango);
  if (!pango_handle) return pango;
  void *gobject_handle = open_library(gobject);
  if (!gobject_handle) return gobject;
  void *zlib_handle = open_library(zlib);
  if (!zlib_handle) return zlib;
  PORTOLAN_CAIRO_CALLS(PORTOLAN_CAIRO_FIND)
  return NULL;
}
