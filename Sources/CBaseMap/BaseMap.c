#include "PortolanBaseMap.h"

// clang knows #embed of C23 in every version of C, and says that it is new.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Part of the program file: nothing is read or copied before the map is first drawn.
static const unsigned char bytes[] = {
#embed "base.doc"
};

const unsigned char *portolan_base_map(size_t *count) {
  *count = sizeof bytes;
  return bytes;
}
