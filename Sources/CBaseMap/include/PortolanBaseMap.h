#ifndef PORTOLAN_BASE_MAP_H
#define PORTOLAN_BASE_MAP_H
#include <stddef.h>

/// The bytes of the built-in base map, an archived document; `*count` is their number.
const unsigned char *_Nonnull portolan_base_map(size_t *_Nonnull count);

#endif
