#include "CGEOS.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define PORTOLAN_GEOS_FIND(result, name, parameters)                                               \
  if (!(*(void **)&calls->name = dlsym(library, #name))) return 0;
#define PORTOLAN_GEOS_TRY(result, name, parameters)                                                \
  *(void **)&calls->name = dlsym(library, #name);

int portolan_geos_find(portolan_geos *calls) {
  void *library = dlopen("libgeos_c.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return 0;
  PORTOLAN_GEOS_CALLS(PORTOLAN_GEOS_FIND)
  PORTOLAN_GEOS_NEWER_CALLS(PORTOLAN_GEOS_TRY)
  return 1;
}

static void keep(const char *text, void *place) {
  portolan_geos_message *message = place;
  strncpy(message->text, text ? text : "", sizeof message->text - 1);
  message->text[sizeof message->text - 1] = 0;
}

void portolan_geos_listen(const portolan_geos *calls, GEOSContextHandle_t handle,
                          portolan_geos_message *message) {
  memset(message, 0, sizeof *message);
  calls->GEOSContext_setErrorMessageHandler_r(handle, keep, message);
}

// The operation under way; only the thread that holds the lock reads or writes it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  const portolan_geos *calls;
  int (*isStopped)(void *);
  void *place;
  unsigned asked;
  int stopped;
} operation;

// GEOS calls it in its inner loops: the question itself is asked seldom.
static void ask(void) {
  if (operation.asked++ % 256 || !operation.isStopped) return;
  if (!operation.isStopped(operation.place)) return;
  operation.stopped = 1;
  operation.calls->GEOS_interruptRequest();
}

void portolan_geos_begin(const portolan_geos *calls, int (*isStopped)(void *), void *place) {
  pthread_mutex_lock(&lock);
  operation.calls = calls;
  operation.isStopped = isStopped;
  operation.place = place;
  operation.asked = 0;
  operation.stopped = 0;
  calls->GEOS_interruptRegisterCallback(ask);
}

int portolan_geos_end(const portolan_geos *calls) {
  int stopped = operation.stopped;
  calls->GEOS_interruptCancel();
  calls->GEOS_interruptRegisterCallback(NULL);
  pthread_mutex_unlock(&lock);
  return stopped;
}
